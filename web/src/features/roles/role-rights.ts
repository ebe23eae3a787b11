import { t } from '@lingui/core/macro';
import { LIMITS, MANAGER_PERMISSIONS, type Permission, type Profile, type RoleItem } from '@orchestrate/shared';
import { hasPermission } from '../../lib/session/session.ts';

/** What the signed-in person may do to a role. The client hides by this; the server decides. */
export interface RoleRights {
  canEdit: boolean;
  canDelete: boolean;
  /** Why this role cannot be deleted by people who may delete others. */
  deleteObstacle: string | undefined;
}

/** System roles never change. Nobody deletes their own role, nor one with permissions that they lack (decision 086). */
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
