import { memberRepo, type Tx } from '@orchestrate/db';
import { Refusal } from '#platform/refusal.ts';

/** The member, unless they are disabled, deleted or not registered yet. */
export function findActiveMember(tx: Tx, orgCode: string, suid: string): memberRepo.MemberRow | undefined {
  const member = memberRepo.findMember(tx, orgCode, suid);
  return member?.accountStatus === 'active' ? member : undefined;
}

/** @throws Refusal USER_INACTIVE for a member who is disabled, deleted or not registered yet */
export function requireActiveMember(tx: Tx, orgCode: string, suid: string): memberRepo.MemberRow {
  const member = findActiveMember(tx, orgCode, suid);
  if (!member) throw new Refusal('USER_INACTIVE');
  return member;
}
