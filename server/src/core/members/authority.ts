import { memberCountRepo, type memberRepo, roleRepo, type Tx } from '@orchestrate/db';
import { hasAuthority } from '@orchestrate/shared';
import type { Caller } from '#platform/http/callers/caller.ts';
import { Refusal } from '#platform/refusal.ts';

type Subject = Pick<memberRepo.MemberRow, 'orgCode' | 'suid' | 'roleCode'>;

/** Returns true if the caller has all permissions of the member, or is that member. */
export function hasAuthorityOver(tx: Tx, caller: Caller, { orgCode, suid, roleCode }: Subject): boolean {
  if (suid === caller.suid) return true;
  const role = roleRepo.findRole(tx, orgCode, roleCode);
  return role !== undefined && hasAuthority(caller.permissions, role.permissions);
}

/** Throws Refusal INVALID_PERMISSIONS if the member has permissions that the caller doesn't have. */
export function requireAuthorityOver(tx: Tx, caller: Caller, member: Subject): void {
  if (hasAuthorityOver(tx, caller, member)) return;
  throw new Refusal('INVALID_PERMISSIONS', { message: "You can't do this: the person has permissions you don't." });
}

/**
 * Requires that the caller may grant a role.
 * @throws Refusal ID_DOESNOT_EXIST if the role is unknown; INVALID_PERMISSIONS if it has permissions that the caller
 * doesn't have; both with an issue on `roles`
 */
export function requireAuthorityToGrant(tx: Tx, caller: Caller, roleCode: string): void {
  const role = roleRepo.findRole(tx, caller.orgCode, roleCode);
  if (role && hasAuthority(caller.permissions, role.permissions)) return;
  const message = role ? 'You can only grant or remove permissions you have yourself.' : 'There is no such role.';
  const issues = [{ path: 'roles', message }];
  throw new Refusal(role ? 'INVALID_PERMISSIONS' : 'ID_DOESNOT_EXIST', { message, issues });
}

/**
 * Call it before a member loses a role or is disabled.
 * @throws Refusal INVALID_PERMISSIONS for the last Super Admin, because no one could undo it
 */
export function requireAnotherSuperAdmin(
  tx: Tx,
  { orgCode, roleCode, accountStatus }: Pick<memberRepo.MemberRow, 'orgCode' | 'roleCode' | 'accountStatus'>,
): void {
  if (roleCode !== 'SUPER_ADMIN') return;
  const active = memberCountRepo.countActiveMembers(tx, orgCode, 'SUPER_ADMIN');
  const others = accountStatus === 'active' ? active - 1 : active;
  if (others > 0) return;
  throw new Refusal('INVALID_PERMISSIONS', { message: 'The last Super Admin must remain.' });
}
