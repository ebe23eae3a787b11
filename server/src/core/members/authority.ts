import { memberCountRepo, type memberRepo, roleRepo, type Tx } from '@orchestrate/db';
import { hasAuthority } from '@orchestrate/shared';
import type { Caller } from '#platform/http/callers/caller.ts';
import { Refusal } from '#platform/refusal.ts';

type Subject = Pick<memberRepo.MemberRow, 'orgCode' | 'suid' | 'roleCode'>;

/** Returns true if the caller has all of the member's permissions, or is the member. */
export function hasAuthorityOver(tx: Tx, caller: Caller, { orgCode, suid, roleCode }: Subject): boolean {
  if (suid === caller.suid) return true;
  const role = roleRepo.findRole(tx, orgCode, roleCode);
  return role !== undefined && hasAuthority(caller.permissions, role.permissions);
}

/** Throws Refusal INVALID_PERMISSIONS if the member has permissions that the caller doesn't have. */
export function requireAuthorityOver(tx: Tx, caller: Caller, member: Subject): void {
  if (hasAuthorityOver(tx, caller, member)) return;
  throw new Refusal('INVALID_PERMISSIONS', {
    message: "You can't do this: this member has permissions you don't have.",
  });
}

/**
 * Requires that the caller is allowed to grant a role.
 * @throws Refusal ID_DOESNOT_EXIST if the role is unknown; INVALID_PERMISSIONS if it has permissions that the caller
 * doesn't have; both with an issue on `roles`
 */
export function requireAuthorityToGrant(tx: Tx, caller: Caller, roleCode: string): void {
  const role = roleRepo.findRole(tx, caller.orgCode, roleCode);
  if (role && hasAuthority(caller.permissions, role.permissions)) return;
  const message = role ? 'You can only grant or remove permissions you have yourself.' : "This role doesn't exist.";
  const issues = [{ path: 'roles', message }];
  throw new Refusal(role ? 'INVALID_PERMISSIONS' : 'ID_DOESNOT_EXIST', { message, issues });
}

/**
 * Requires another active Super Admin. Call it before a member loses a role or is disabled.
 * @throws Refusal INVALID_PERMISSIONS for the last Super Admin, because no one could undo the change
 */
export function requireAnotherSuperAdmin(
  tx: Tx,
  { orgCode, roleCode, accountStatus }: Pick<memberRepo.MemberRow, 'orgCode' | 'roleCode' | 'accountStatus'>,
): void {
  if (roleCode !== 'SUPER_ADMIN') return;
  const active = memberCountRepo.countActiveMembers(tx, orgCode, 'SUPER_ADMIN');
  const others = accountStatus === 'active' ? active - 1 : active;
  if (others > 0) return;
  throw new Refusal('INVALID_PERMISSIONS', { message: 'At least one Super Admin must remain active.' });
}
