import { plural, t } from '@lingui/core/macro';
import {
  LIMITS,
  MANAGER_PERMISSIONS,
  PERMISSIONS,
  type Permission,
  type PermissionGroup,
  type Profile,
  permissionGroup,
  type RoleItem,
  type RoleType,
} from '@orchestrate/shared';
import { hasPermission } from '#lib/session/session.ts';

const types: Record<RoleType, string> = { admin: t`Admin role`, user: t`User role`, custom: t`Custom role` };

export const roleTypeLabel = (type: RoleType): string => types[type];

export const membersText = (count: number): string => plural(count, { one: '# member', other: '# members' });

/** Every permission under its group, both in the order of the table of permissions. */
export const permissionGroups: readonly { group: PermissionGroup; permissions: readonly Permission[] }[] = [
  ...Map.groupBy(PERMISSIONS, permissionGroup),
].map(([group, permissions]) => ({ group, permissions }));

/** The set with or without those permissions, in the order of the table. */
export function withPermissions(
  present: readonly Permission[],
  changed: readonly Permission[],
  isHeld: boolean,
): Permission[] {
  return PERMISSIONS.filter((permission) => (changed.includes(permission) ? isHeld : present.includes(permission)));
}

/** What the signed-in person may do to a role. The client hides by this; the server decides. */
export interface RoleRights {
  canEdit: boolean;
  canDelete: boolean;
  /** Why this role cannot be deleted by people who may delete others. */
  deleteObstacle: string | undefined;
}

/** System roles never change. Nobody deletes their own role, nor one with permissions that they lack (decision 062). */
export function roleRightsOf(profile: Profile | undefined, role: RoleItem): RoleRights {
  const isCustom = role.type === 'custom';
  const hasAll = role.permissions.every((permission) => hasPermission(profile, permission));
  const beyond = hasAll ? undefined : t`This role has permissions that you don't have`;
  return {
    canEdit: isCustom && hasPermission(profile, 'UPDATE_CUSTOM_ROLES'),
    canDelete: isCustom && hasPermission(profile, 'DELETE_CUSTOM_ROLES'),
    deleteObstacle: profile?.roleCode === role.roleCode ? t`You can't delete your own role` : beyond,
  };
}

/** Why holders of those permissions can neither grant this one nor take it away; undefined where they can. */
export function grantObstacle(own: readonly Permission[], permission: Permission): string | undefined {
  if (MANAGER_PERMISSIONS.some((ofManagers) => ofManagers === permission)) {
    return t`Comes with having direct reports, not with a role`;
  }
  return own.includes(permission) ? undefined : t`You don't have this permission yourself`;
}

/** Whether the organisation has reached its limit of custom roles. */
export const isLimitReached = (roles: readonly RoleItem[]): boolean =>
  roles.filter(({ type }) => type === 'custom').length >= LIMITS.customRoles;
