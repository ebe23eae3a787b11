import type { memberCountRepo, roleRepo } from '@orchestrate/db';
import {
  MANAGER_PERMISSIONS,
  PERMISSIONS,
  type Permission,
  type RoleItem,
  type RoleType,
  SYSTEM_ROLE_CODES,
} from '@orchestrate/shared';
import { versionOf } from '#platform/http/versions.ts';

const TYPES: readonly RoleType[] = ['admin', 'user', 'custom'];
const SYSTEM: readonly string[] = SYSTEM_ROLE_CODES;

/**
 * Compares roles for display: admin roles first, then the user role, then custom roles. Otherwise keeps the existing
 * order.
 */
export function byDisplayOrder(a: roleRepo.RoleRow, b: roleRepo.RoleRow): number {
  return TYPES.indexOf(a.type) - TYPES.indexOf(b.type) || SYSTEM.indexOf(a.roleCode) - SYSTEM.indexOf(b.roleCode);
}

export const editableRoleFields = ({ name, permissions }: Pick<roleRepo.RoleRow, 'name' | 'permissions'>) => ({
  name,
  permissions,
});

/** Returns the details of a role. */
export const roleDetailOf = ({ roleCode, name, type, permissions }: roleRepo.RoleRow) => ({
  roleCode,
  name,
  type,
  permissions,
});

/** Returns a role with its member count, not counting deleted members. */
export function roleOf(
  { roleCode, name, type, permissions }: roleRepo.RoleRow,
  counts: readonly memberCountRepo.MemberCount[],
): RoleItem {
  const version = versionOf(editableRoleFields({ name, permissions }));
  const having = counts.filter((count) => count.roleCode === roleCode && count.accountStatus !== 'deleted');
  return {
    roleCode,
    name,
    type,
    permissions,
    version,
    userCount: having.reduce((total, { members }) => total + members, 0),
  };
}

/** Returns permissions without duplicates, in the order of the permission table. */
export function sortPermissions(permissions: readonly Permission[]): Permission[] {
  return PERMISSIONS.filter((permission) => permissions.includes(permission));
}

/** Returns the permissions that are in exactly one of two lists. */
export function differingPermissions(a: readonly Permission[], b: readonly Permission[]): Permission[] {
  return PERMISSIONS.filter((permission) => a.includes(permission) !== b.includes(permission));
}

/** Returns the permissions that only managers have and that roles can't include (decision 062). */
export function managerPermissionsIn(permissions: readonly Permission[]): Permission[] {
  return MANAGER_PERMISSIONS.filter((permission) => permissions.includes(permission));
}
