import { memberRepo, type Tx } from '@orchestrate/db';
import { Refusal } from '#platform/refusal.ts';

/**
 * Returns the current member inside the transaction that changes them: the guard's copy may be out of date.
 * @throws Refusal ID_DOESNOT_EXIST if deleted
 */
export function requirePresent(tx: Tx, orgCode: string, suid: string): memberRepo.MemberRow {
  const member = memberRepo.findMember(tx, orgCode, suid);
  if (!member || member.accountStatus === 'deleted') throw new Refusal('ID_DOESNOT_EXIST');
  return member;
}
