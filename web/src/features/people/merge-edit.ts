import type { EditUserForm, Member } from '@orchestrate/shared';

const FIELDS = ['firstName', 'lastName', 'primaryEmail', 'roles'] as const satisfies readonly (keyof EditUserForm)[];
type EditedField = (typeof FIELDS)[number];

/** What a form holds of a member; the role only where it is edited. */
export function editedOf(member: Member, { withRole }: { withRole: boolean }): EditUserForm {
  const { firstName, lastName, primaryEmail, role } = member;
  return { firstName, lastName, primaryEmail, ...(withRole && { roles: role }) };
}

/**
 * Two people edit one member at once: what only the other has changed stays as it is now, what only this form has is
 * saved, and what both have is a conflict about which somebody must be asked.
 * @param before what the form began with
 * @param present what the member is now
 */
export function mergeEdit(
  before: EditUserForm,
  present: EditUserForm,
  typed: EditUserForm,
): { conflicts: EditedField[]; merged: EditUserForm } {
  const mine = FIELDS.filter((field) => typed[field] !== before[field]);
  const conflicts = mine.filter((field) => present[field] !== before[field] && present[field] !== typed[field]);
  const merged: EditUserForm = { ...present };
  for (const field of mine) Object.assign(merged, { [field]: typed[field] });
  // A role that was left alone is not sent: so nobody's choice of it is undone.
  const { roles, ...names } = merged;
  return { conflicts, merged: mine.includes('roles') ? merged : names };
}
