import { plural, t } from '@lingui/core/macro';
import type { RoleType } from '@orchestrate/shared';

const types: Record<RoleType, string> = { admin: t`Admin role`, user: t`User role`, custom: t`Custom role` };

export const roleTypeLabel = (type: RoleType): string => types[type];

export const membersText = (count: number): string => plural(count, { one: '# member', other: '# members' });
