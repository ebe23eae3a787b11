import { memberCountRepo, type memberRepo, roleRepo, type Tx } from '@orchestrate/db';
import { hasAuthority } from '@orchestrate/shared';
import type { Caller } from '#platform/http/callers/caller.ts';
import { Refusal } from '#platform/refusal.ts';

type Subject = Pick<memberRepo.MemberRow, 'orgCode' | 'suid' | 'roleCode'>;

/** Whether the caller may do everything that the member may; everybody has authority over themselves. */
export function hasAuthorityOver(tx: Tx, caller: Caller, { orgCode, suid, roleCode }: Subject): boolean {
  if (suid === caller.suid) return true;
  const role = roleRepo.findRole(tx, orgCode, roleCode);
  return role !== undefined && hasAuthority(caller.permissions, role.permissions);
}

/** @throws Refusal INVALID_PERMISSIONS where the member's role allows what the caller's does not */
export function requireAuthorityOver(tx: Tx, caller: Caller, member: Subject): void {
  if (hasAuthorityOver(tx, caller, member)) return;
  throw new Refusal('INVALID_PERMISSIONS', { message: "You can't do this: the person has permissions you don't." });
}

/**
 * @throws Refusal ID_DOESNOT_EXIST for an unknown role; INVALID_PERMISSIONS for one that allows what the caller's does
 * not; both with an issue on `roles`
 */
export function requireAuthorityToGrant(tx: Tx, caller: Caller, roleCode: string): void {
  const role = roleRepo.findRole(tx, caller.orgCode, roleCode);
  if (role && hasAuthority(caller.permissions, role.permissions)) return;
  const message = role ? 'You can only grant or remove permissions you have yourself.' : 'There is no such role.';
  const issues = [{ path: 'roles', message }];
  throw new Refusal(role ? 'INVALID_PERMISSIONS' : 'ID_DOESNOT_EXIST', { message, issues });
}

/**
 * Check this before a member loses the role or the ability to act.
 * @throws Refusal INVALID_PERMISSIONS for the last Super Admin: nobody could undo it
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
