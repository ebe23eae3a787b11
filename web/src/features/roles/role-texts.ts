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

export const memberCountText = (count: number): string => plural(count, { one: '# member', other: '# members' });

/** All permissions by group. Groups and permissions are in display order. */
export const permissionGroups: readonly { group: PermissionGroup; permissions: readonly Permission[] }[] = [
  ...Map.groupBy(PERMISSIONS, permissionGroup),
].map(([group, permissions]) => ({ group, permissions }));

/** Adds or removes permissions and sorts the result in display order. */
export function withPermissions(
  present: readonly Permission[],
  changed: readonly Permission[],
  isHeld: boolean,
): Permission[] {
  return PERMISSIONS.filter((permission) => (changed.includes(permission) ? isHeld : present.includes(permission)));
}

/**
 * Actions that the signed-in user can perform on a role. The client merely hides other actions, and the server
 * enforces the permissions.
 */
export interface RoleRights {
  canEdit: boolean;
  canDelete: boolean;
  /** Reason why a user with permission to delete roles can't delete this role. */
  deleteObstacle: string | undefined;
}

/**
 * Returns what a user can do with a role. System roles never change. Users can't delete their own role or a role with
 * permissions that they lack (decision 062).
 */
export function roleRightsOf(profile: Profile | undefined, role: RoleItem): RoleRights {
  const isCustom = role.type === 'custom';
  const hasAll = role.permissions.every((permission) => hasPermission(profile, permission));
  const beyond = hasAll ? undefined : t`This role has permissions you don't have`;
  return {
    canEdit: isCustom && hasPermission(profile, 'UPDATE_CUSTOM_ROLES'),
    canDelete: isCustom && hasPermission(profile, 'DELETE_CUSTOM_ROLES'),
    deleteObstacle: profile?.roleCode === role.roleCode ? t`You can't delete your own role` : beyond,
  };
}

/** Returns why a user with these permissions can't grant or revoke `permission`, or undefined if they can. */
export function grantObstacle(own: readonly Permission[], permission: Permission): string | undefined {
  if (MANAGER_PERMISSIONS.some((ofManagers) => ofManagers === permission)) {
    return t`Only members with direct reports have this permission`;
  }
  return own.includes(permission) ? undefined : t`You don't have this permission yourself`;
}

/** Returns true if the organisation has reached its limit of custom roles. */
export const isLimitReached = (roles: readonly RoleItem[]): boolean =>
  roles.filter(({ type }) => type === 'custom').length >= LIMITS.customRoles;
