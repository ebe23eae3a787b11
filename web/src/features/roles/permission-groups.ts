import { PERMISSIONS, type Permission, type PermissionGroup, permissionGroup } from '@orchestrate/shared';

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
