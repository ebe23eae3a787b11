import { setImmediate } from 'node:timers/promises';
import { groupRepo, roleRepo, type Tx } from '@orchestrate/db';
import { LIMITS, type Permission, type RoleForm } from '@orchestrate/shared';
import { record } from '#core/audit/record.ts';
import { impersonationError, isSameName, roleCodeFor } from '#core/members/role-names.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import type { Version } from '#platform/http/versions.ts';
import { Refusal } from '#platform/refusal.ts';
import {
  differingPermissions,
  editableRoleFields,
  managerPermissionsIn,
  roleDetailOf,
  sortPermissions,
} from './role-of.ts';

/** Members reassigned per transaction. A transaction blocks all other requests. */
const BATCH_SIZE = 50;

/**
 * Reassigns a role's members in batches, to avoid blocking other requests while the role is deleted. The deletion
 * itself reassigns members who join in the meantime.
 * @returns how many members were reassigned, not counting deleted ones
 */
async function emptyRole(
  { db }: Pick<Deps, 'db'>,
  orgCode: string,
  { roleCode, heir }: { roleCode: string; heir: string },
): Promise<number> {
  let users = 0;
  for (;;) {
    const { moved, present } = roleRepo.moveMembersFromRole(db, orgCode, { roleCode, heir, count: BATCH_SIZE });
    users += present;
    if (moved < BATCH_SIZE) return users;
    await setImmediate();
  }
}

interface Writer {
  caller: Caller;
  actor: AuditActor;
  /** Codes of roles about to be renamed. Other roles can take their current names. */
  givingUp?: ReadonlySet<string>;
}

const roleObject = ({ roleCode, name }: Pick<roleRepo.RoleRow, 'roleCode' | 'name'>) =>
  ({ type: 'role', id: roleCode, name }) as const;

/**
 * Creates a custom role and returns its code.
 * @param givenCode role code, derived from the name if absent
 * @throws Refusal INVALID_PERMISSIONS if the user lacks one of the permissions; ROLE_LIMIT_REACHED; INVALID_REQUEST
 * if the name is taken or a permission is reserved for managers
 */
export function createRole(
  deps: Deps,
  { caller, actor, givingUp }: Writer,
  { name, permissions }: RoleForm,
  givenCode?: string,
): string {
  requireGrantable(permissions);
  requireOwn(caller, permissions);
  return deps.db.transaction((tx) => {
    const known = roleRepo.listRoles(tx, caller.orgCode);
    if (known.filter(({ type }) => type === 'custom').length >= LIMITS.customRoles) {
      throw new Refusal('ROLE_LIMIT_REACHED');
    }
    requireFreeName(name, known, givingUp);
    requireNoGroup(tx, caller, name);
    const taken = [
      ...known.map((role) => role.roleCode),
      // A role code must not equal a group name either.
      ...groupRepo.listGroups(tx, caller.orgCode).map((group) => group.displayName.toUpperCase()),
    ];
    const roleCode = givenCode ?? roleCodeFor(name, taken);
    if (givenCode !== undefined) requireFreeCode(givenCode, taken);
    const role = { orgCode: caller.orgCode, roleCode, name, type: 'custom' as const };
    roleRepo.insertRole(tx, { ...role, permissions: sortPermissions(permissions), createdAt: deps.clock.now() });
    const after = { name, permissions: sortPermissions(permissions) };
    record(deps, tx, actor, { action: 'role.created', object: roleObject(role), after });
    return roleCode;
  });
}

/**
 * Changes a custom role, with immediate effect for all its members.
 * @throws StaleVersion; Refusal ID_DOESNOT_EXIST; CANNOT_DELETE_DEFAULT_ROLE for a system role; INVALID_PERMISSIONS
 * if the user lacks an added or removed permission; INVALID_REQUEST as `createRole`
 */
export function editRole(
  deps: Deps,
  { caller, actor, givingUp }: Writer,
  { roleCode, name, permissions }: RoleForm & { roleCode: string },
  version: Version,
) {
  requireGrantable(permissions);
  deps.db.transaction((tx) => {
    const role = requireCustomRole(tx, caller, roleCode, 'changed');
    const { orgCode } = caller;
    version.require(tx, {
      orgCode,
      id: roleCode,
      editable: editableRoleFields(role),
      present: () => roleDetailOf(role),
    });
    requireOwn(caller, differingPermissions(role.permissions, permissions));
    const others = roleRepo.listRoles(tx, caller.orgCode).filter((known) => known.roleCode !== roleCode);
    requireFreeName(name, others, givingUp);
    requireNoGroup(tx, caller, name);
    const edited = { name, permissions: sortPermissions(permissions) };
    roleRepo.editRole(tx, { orgCode, roleCode, ...edited }, deps.clock.now());
    const facts = { before: editableRoleFields(role), after: edited };
    record(deps, tx, actor, { action: 'role.updated', object: roleObject({ roleCode, name }), ...facts });
    version.answer(edited);
  });
}

/**
 * Deletes a custom role and makes its members Org Users. Returns how many members were affected.
 * @throws Refusal ID_DOESNOT_EXIST; CANNOT_DELETE_DEFAULT_ROLE for a system role; INVALID_PERMISSIONS if the role is
 * the user's own or has a permission the user lacks
 */
export async function deleteRole(deps: Deps, { caller, actor }: Writer, roleCode: string): Promise<number> {
  const { orgCode } = caller;
  requireDeletable(deps.db, caller, roleCode);
  const moved = await emptyRole(deps, orgCode, { roleCode, heir: 'USER' });
  return deps.db.transaction((tx) => {
    const role = requireDeletable(tx, caller, roleCode);
    const users = moved + roleRepo.deleteRole(tx, orgCode, roleCode, 'USER');
    if (users > 0) roleRepo.touchRoles(tx, orgCode, ['USER'], deps.clock.now());
    const before = { ...editableRoleFields(role), users };
    record(deps, tx, actor, { action: 'role.deleted', object: roleObject(role), before });
    return users;
  });
}

function requireDeletable(tx: Tx, caller: Caller, roleCode: string): roleRepo.RoleRow {
  const role = requireCustomRole(tx, caller, roleCode, 'deleted');
  if (roleCode === caller.roleCode) {
    throw new Refusal('INVALID_PERMISSIONS', { message: "You can't change your own role." });
  }
  requireOwn(caller, role.permissions);
  return role;
}

export function requireRole(tx: Tx, orgCode: string, roleCode: string): roleRepo.RoleRow {
  const role = roleRepo.findRole(tx, orgCode, roleCode);
  if (!role) throw new Refusal('ID_DOESNOT_EXIST', { message: "This role doesn't exist." });
  return role;
}

function requireCustomRole(
  tx: Tx,
  { orgCode }: Caller,
  roleCode: string,
  done: 'changed' | 'deleted',
): roleRepo.RoleRow {
  const role = requireRole(tx, orgCode, roleCode);
  if (role.type !== 'custom') {
    throw new Refusal('CANNOT_DELETE_DEFAULT_ROLE', { message: `System roles can't be ${done}.` });
  }
  return role;
}

function requireGrantable(permissions: readonly Permission[]): void {
  if (managerPermissionsIn(permissions).length === 0) return;
  throw new Refusal('INVALID_REQUEST', {
    issues: [{ path: 'permissions', message: 'Permissions for direct reports are reserved for managers' }],
  });
}

function requireFreeCode(code: string, taken: readonly string[]): void {
  const message = taken.includes(code)
    ? 'A group already has this name'
    : /[A-Z0-9]/.test(code)
      ? impersonationError(code)
      : 'Codes must contain a letter or a digit';
  if (message) throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'roleCode', message }] });
}

function requireOwn(caller: Caller, permissions: readonly Permission[]): void {
  if (permissions.every((permission) => caller.permissions.includes(permission))) return;
  throw new Refusal('INVALID_PERMISSIONS', { message: 'You can only grant or remove permissions you have yourself.' });
}

function requireFreeName(name: string, known: readonly roleRepo.RoleRow[], givingUp: Writer['givingUp']): void {
  const isTaken = known.some((role) => !givingUp?.has(role.roleCode) && isSameName(role.name, name));
  const message = isTaken ? 'A role already has this name' : impersonationError(name);
  if (message) throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'name', message }] });
}

/** Roles and groups share one namespace, because directories see both in a single list (decision 120). */
function requireNoGroup(tx: Tx, { orgCode }: Caller, name: string): void {
  if (!groupRepo.findGroupByName(tx, orgCode, name)) return;
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'name', message: 'A group already has this name' }] });
}
