import { t } from '@lingui/core/macro';
import type { EditUserForm, Member } from '@orchestrate/shared';
import { type EditedField, textField } from '#ui/editing/three-way.ts';

/** Returns a member's form values, with the role if it can be edited. */
export function editedOf(member: Member, { withRole }: { withRole: boolean }): EditUserForm {
  const { firstName, lastName, primaryEmail, role } = member;
  return { firstName, lastName, primaryEmail, ...(withRole && { roles: role }) };
}

/**
 * Returns the fields shown in the conflict dialog when two people edit a member at the same time.
 * @param nameOf returns the name of a role
 */
export const memberFields = (nameOf: (roleCode: string) => string): EditedField<EditUserForm>[] => [
  textField(t`First Name`, 'firstName'),
  textField(t`Last Name`, 'lastName'),
  textField(t`Email`, 'primaryEmail'),
  { label: t`Role`, paths: ['roles'], show: ({ roles }) => (roles ? nameOf(roles) : '') },
];
