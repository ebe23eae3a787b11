import type { EditUserForm, Member } from '@orchestrate/shared';
import { type EditedField, textField } from '../../editing/three-way.ts';

/** What the form holds of a member; the role only where it is edited. */
export function editedOf(member: Member, { withRole }: { withRole: boolean }): EditUserForm {
  const { firstName, lastName, primaryEmail, role } = member;
  return { firstName, lastName, primaryEmail, ...(withRole && { roles: role }) };
}

/** What is asked about where two people have edited a member at once. @param nameOf what a role is called */
export const memberFields = (nameOf: (roleCode: string) => string): EditedField<EditUserForm>[] => [
  textField('First Name', 'firstName'),
  textField('Last Name', 'lastName'),
  textField('Email', 'primaryEmail'),
  { label: 'Role', paths: ['roles'], show: ({ roles }) => (roles ? nameOf(roles) : '') },
];
