import { memberRepo, type Tx } from '@orchestrate/db';
import { Refusal } from '../../platform/refusal.ts';

/**
 * The member as he is now, inside the transaction that changes him: what the guard has seen may be over.
 * @throws Refusal ID_DOESNOT_EXIST where he has been deleted
 */
export function requirePresent(tx: Tx, orgCode: string, suid: string): memberRepo.MemberRow {
  const member = memberRepo.findMember(tx, orgCode, suid);
  if (!member || member.accountStatus === 'deleted') throw new Refusal('ID_DOESNOT_EXIST');
  return member;
}
