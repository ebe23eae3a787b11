import { memberRepo, type Tx } from '@orchestrate/db';
import { Refusal } from '../../http/refusal.ts';

/**
 * The member who is meant by an e-mail or primary attribute; without an organisation, by an e-mail in any.
 * @throws Refusal 75 several organisations know the address; 20 nobody, or nobody who has registered; 35 disabled
 */
export function requirePushPerson(tx: Tx, orgCode: string | undefined, name: string): memberRepo.MemberRow {
  const found = orgCode === undefined ? findAnywhere(tx, name) : findIn(tx, orgCode, name);
  const known = found.filter(({ accountStatus }) => accountStatus !== 'deleted');
  if (known.length > 1) throw new Refusal('USER_IN_MULTIPLE_ORGS');
  const [member] = known;
  if (member?.accountStatus === 'inactive') throw new Refusal('USER_INACTIVE');
  if (member?.accountStatus !== 'active') throw new Refusal('USER_NOT_REGISTERED_FOR_ORG');
  return member;
}

const findAnywhere = (tx: Tx, name: string) => memberRepo.listMembersByEmail(tx, name.toLowerCase());

function findIn(tx: Tx, orgCode: string, name: string): memberRepo.MemberRow[] {
  const member =
    memberRepo.findMemberByEmail(tx, orgCode, name.toLowerCase()) ??
    memberRepo.findMemberByPrimaryAttr(tx, orgCode, name);
  return member ? [member] : [];
}
