import type { Permission } from '@orchestrate/shared';

/** The columns of the table of roles (spec 2 §2) and the permission behind each of them (decision 086). */
export const userActions = [
  { label: 'Invite', permission: 'BULK_INVITE', can: 'invite a user' },
  { label: 'Create', permission: 'BULK_INVITE', can: 'create a user' },
  { label: 'Update', permission: 'UPDATE_USER', can: 'update a user' },
  { label: 'Delete', permission: 'REMOVE_USER', can: 'delete a user' },
] as const satisfies { label: string; permission: Permission; can: string }[];
