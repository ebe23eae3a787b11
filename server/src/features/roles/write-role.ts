import { setImmediate } from 'node:timers/promises';
import { groupRepo, roleRepo, type Tx } from '@orchestrate/db';
import { LIMITS, type Permission, type RoleForm } from '@orchestrate/shared';
import { record } from '#core/audit/record.ts';
import { codeOfName, impersonation, isSameName } from '#core/members/role-names.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import type { Version } from '#platform/http/versions.ts';
import { Refusal } from '#platform/refusal.ts';
import { differingPermissions, editableRole, inTableOrder, managerPermissionsIn, roleDetailOf } from './role-of.ts';

/** Members reassigned per transaction, which blocks all other requests. */
const BATCH_SIZE = 50;

/**
 * Reassigns the members of a role in batches, so that deleting it blocks no one. Members who join in the meantime may
 * remain: the deletion moves them too.
 * @returns the number of members, without deleted ones
 */
async function emptyRole(
  { db }: Pick<Deps, 'db'>,
  orgCode: string,
  { roleCode, heir }: { roleCode: string; heir: string },
): Promise<number> {
  let users = 0;
  for (;;) {
    const { moved, present } = roleRepo.moveFromRole(db, orgCode, { roleCode, heir, count: BATCH_SIZE });
    users += present;
    if (moved < BATCH_SIZE) return users;
    await setImmediate();
  }
}

/** Actor and their permissions. */
interface Writer {
  caller: Caller;
  actor: AuditActor;
  /** Codes of roles that are renamed next, so their names are free. */
  givingUp?: ReadonlySet<string>;
}

const roleObject = ({ roleCode, name }: Pick<roleRepo.RoleRow, 'roleCode' | 'name'>) =>
  ({ type: 'role', id: roleCode, name }) as const;

/**
 * Creates a custom role and returns its code.
 * @param givenCode derived from the name if absent
 * @throws Refusal INVALID_PERMISSIONS for a permission that the caller lacks; ROLE_LIMIT_REACHED; INVALID_REQUEST for
 * a name that is taken, and for a manager's permission
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
      // A role's code can't be a group's name either.
      ...groupRepo.listGroups(tx, caller.orgCode).map((group) => group.displayName.toUpperCase()),
    ];
    const roleCode = givenCode ?? codeOfName(name, taken);
    if (givenCode !== undefined) requireFreeCode(givenCode, taken);
    const role = { orgCode: caller.orgCode, roleCode, name, type: 'custom' as const };
    roleRepo.insertRole(tx, { ...role, permissions: inTableOrder(permissions), createdAt: deps.clock.now() });
    const after = { name, permissions: inTableOrder(permissions) };
    record(deps, tx, actor, { action: 'role.created', object: roleObject(role), after });
    return roleCode;
  });
}

/**
 * Changes a custom role, with immediate effect for all its members.
 * @throws StaleVersion; Refusal ID_DOESNOT_EXIST; CANNOT_DELETE_DEFAULT_ROLE for a system role; INVALID_PERMISSIONS
 * for adding or removing a permission that the caller lacks; INVALID_REQUEST as `createRole`
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
    version.require(tx, { orgCode, id: roleCode, editable: editableRole(role), present: () => roleDetailOf(role) });
    requireOwn(caller, differingPermissions(role.permissions, permissions));
    const others = roleRepo.listRoles(tx, caller.orgCode).filter((known) => known.roleCode !== roleCode);
    requireFreeName(name, others, givingUp);
    requireNoGroup(tx, caller, name);
    const edited = { name, permissions: inTableOrder(permissions) };
    roleRepo.editRole(tx, { orgCode, roleCode, ...edited }, deps.clock.now());
    const facts = { before: editableRole(role), after: edited };
    record(deps, tx, actor, { action: 'role.updated', object: roleObject({ roleCode, name }), ...facts });
    version.answer(edited);
  });
}

/**
 * Deletes a custom role; its users become Org Users. Returns their number.
 * @throws Refusal ID_DOESNOT_EXIST; CANNOT_DELETE_DEFAULT_ROLE for a system role; INVALID_PERMISSIONS for the
 * caller's own role, and for one with a permission that the caller lacks
 */
export async function deleteRole(deps: Deps, { caller, actor }: Writer, roleCode: string): Promise<number> {
  const { orgCode } = caller;
  requireDeletable(deps.db, caller, roleCode);
  const moved = await emptyRole(deps, orgCode, { roleCode, heir: 'USER' });
  return deps.db.transaction((tx) => {
    const role = requireDeletable(tx, caller, roleCode);
    const users = moved + roleRepo.deleteRole(tx, orgCode, roleCode, 'USER');
    if (users > 0) roleRepo.touchRoles(tx, orgCode, ['USER'], deps.clock.now());
    const before = { ...editableRole(role), users };
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
  if (!role) throw new Refusal('ID_DOESNOT_EXIST', { message: 'There is no such role.' });
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
    throw new Refusal('CANNOT_DELETE_DEFAULT_ROLE', { message: `A system role cannot be ${done}.` });
  }
  return role;
}

function requireGrantable(permissions: readonly Permission[]): void {
  if (managerPermissionsIn(permissions).length === 0) return;
  throw new Refusal('INVALID_REQUEST', {
    issues: [{ path: 'permissions', message: 'The permissions for direct reports come with being a manager' }],
  });
}

function requireFreeCode(code: string, taken: readonly string[]): void {
  const message = taken.includes(code)
    ? 'A group already has this name'
    : /[A-Z0-9]/.test(code)
      ? impersonation(code)
      : 'Codes must contain a letter or a digit';
  if (message) throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'roleCode', message }] });
}

function requireOwn(caller: Caller, permissions: readonly Permission[]): void {
  if (permissions.every((permission) => caller.permissions.includes(permission))) return;
  throw new Refusal('INVALID_PERMISSIONS', { message: 'You can only grant or remove permissions you have yourself.' });
}

function requireFreeName(name: string, known: readonly roleRepo.RoleRow[], givingUp: Writer['givingUp']): void {
  const isTaken = known.some((role) => !givingUp?.has(role.roleCode) && isSameName(role.name, name));
  const message = isTaken ? 'Role name already exists' : impersonation(name);
  if (message) throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'name', message }] });
}

/** Directories see roles and groups as one list of unique names (decision 120). */
function requireNoGroup(tx: Tx, { orgCode }: Caller, name: string): void {
  if (!groupRepo.findGroupByName(tx, orgCode, name)) return;
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'name', message: 'A group already has this name' }] });
}
