import { t } from '@lingui/core/macro';
import type { EditUserForm, Member } from '@orchestrate/shared';
import { type EditedField, textField } from '#ui/editing/three-way.ts';

/** Returns a member's form values, including the role if it can be edited. */
export function memberFormOf(member: Member, { withRole }: { withRole: boolean }): EditUserForm {
  const { firstName, lastName, primaryEmail, role } = member;
  return { firstName, lastName, primaryEmail, ...(withRole && { roles: role }) };
}

/**
 * Returns the fields compared in the conflict dialog when two people edit a member at the same time.
 * @param nameOf returns a role's name
 */
export const memberFields = (nameOf: (roleCode: string) => string): EditedField<EditUserForm>[] => [
  textField(t`First Name`, 'firstName'),
  textField(t`Last Name`, 'lastName'),
  textField(t`Email`, 'primaryEmail'),
  { label: t`Role`, paths: ['roles'], show: ({ roles }) => (roles ? nameOf(roles) : '') },
];
