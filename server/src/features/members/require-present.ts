import { memberRepo, type Tx } from '@orchestrate/db';
import { Refusal } from '#platform/refusal.ts';

/**
 * The member as they are now, inside the transaction that changes them: what the guard saw may be out of date.
 * @throws Refusal ID_DOESNOT_EXIST where they have been deleted
 */
export function requirePresent(tx: Tx, orgCode: string, suid: string): memberRepo.MemberRow {
  const member = memberRepo.findMember(tx, orgCode, suid);
  if (!member || member.accountStatus === 'deleted') throw new Refusal('ID_DOESNOT_EXIST');
  return member;
}
