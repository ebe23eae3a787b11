import type { RoleType } from '@orchestrate/shared';

const types: Record<RoleType, string> = { admin: 'Admin role', user: 'User role', custom: 'Custom role' };

export const roleTypeLabel = (type: RoleType): string => types[type];

export const usersText = (count: number): string => (count === 1 ? '1 user' : `${count.toLocaleString('en-GB')} users`);
