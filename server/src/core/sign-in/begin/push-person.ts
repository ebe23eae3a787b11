import { memberRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { composed, type ResultName } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import type { Requester } from '../challenges/begin.ts';
import { preparedUserName } from '../prepared-user-name.ts';
import { requireOrganisation } from './require-organisation.ts';

/** The member meant, and why no push can reach them. */
export interface PushPerson {
  /** '' if there is no such person. */
  suid: string;
  obstacle: ResultName | undefined;
}

/**
 * The organisation of a push; if none is named, the one that knows the address and discloses that it does.
 * @throws Refusal ORG_CODE_NOT_FOUND, IP_NOT_VALID; USER_IN_MULTIPLE_ORGS several know it; USER_NOT_REGISTERED_FOR_ORG
 * none
 */
export function organisationOfPush(
  deps: Deps,
  { orgCode, name }: { orgCode?: string; name: string },
  requester: Requester,
): organisationRepo.OrganisationRow {
  if (orgCode !== undefined) return requireOrganisation(deps, orgCode, requester);
  const disclosing = memberRepo
    .listMembersByEmail(deps.db, preparedUserName(name).toLowerCase())
    .filter((member) => organisationRepo.findOrganisation(deps.db, member.orgCode)?.discloseUnknownUsers);
  if (disclosing.length > 1) throw new Refusal('USER_IN_MULTIPLE_ORGS');
  const [member] = disclosing;
  if (!member) throw new Refusal('USER_NOT_REGISTERED_FOR_ORG');
  return requireOrganisation(deps, member.orgCode, requester);
}

/**
 * The person with this email or primary attribute. Composed and decomposed letters count as equal, and so do fullwidth
 * and ordinary ones. The same lookups run whether or not the person exists.
 */
export function findPushPerson(
  tx: Tx,
  { orgCode }: organisationRepo.OrganisationRow,
  name: string,
  hasDevice: (of: { orgCode: string; suid: string }) => boolean,
): PushPerson {
  const prepared = preparedUserName(name);
  const member =
    memberRepo.findMemberByEmail(tx, orgCode, prepared.toLowerCase()) ??
    memberRepo.findMemberByPrimaryAttr(tx, orgCode, composed(name)) ??
    memberRepo.findMemberByPrimaryAttr(tx, orgCode, prepared);
  const suid = member?.suid ?? '';
  const isReachable = hasDevice({ orgCode, suid });
  if (member?.accountStatus === 'inactive') return { suid, obstacle: 'USER_INACTIVE' };
  const isRegistered = member?.accountStatus === 'active' && isReachable;
  return { suid, obstacle: isRegistered ? undefined : 'USER_NOT_REGISTERED_FOR_ORG' };
}
