import type { RoleType } from '@orchestrate/shared';

const types: Record<RoleType, string> = { admin: 'Admin role', user: 'User role', custom: 'Custom role' };

export const roleTypeLabel = (type: RoleType): string => types[type];

export const membersText = (count: number): string =>
  count === 1 ? '1 member' : `${count.toLocaleString('en-GB')} members`;
