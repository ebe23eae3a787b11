import { memberRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { composed, type ResultName } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import type { Requester } from '../challenges/begin.ts';
import { normaliseUserName } from '../find-member.ts';
import { requireOrganisation } from './require-organisation.ts';

/** The named member, and why no push can reach them, if so. */
export interface PushPerson {
  /** '' if there is no such person. */
  suid: string;
  obstacle: ResultName | undefined;
}

/**
 * Returns the organisation of a push; if none is named, the one that has a member with this address and discloses it.
 * @throws Refusal ORG_CODE_NOT_FOUND, IP_NOT_VALID; USER_IN_MULTIPLE_ORGS if several do; USER_NOT_REGISTERED_FOR_ORG if
 * none does
 */
export function organisationOfPush(
  deps: Deps,
  { orgCode, name }: { orgCode?: string; name: string },
  requester: Requester,
): organisationRepo.OrganisationRow {
  if (orgCode !== undefined) return requireOrganisation(deps, orgCode, requester);
  const disclosing = memberRepo
    .listMembersByEmail(deps.db, normaliseUserName(name).toLowerCase())
    .filter((member) => organisationRepo.findOrganisation(deps.db, member.orgCode)?.discloseUnknownUsers);
  if (disclosing.length > 1) throw new Refusal('USER_IN_MULTIPLE_ORGS');
  const [member] = disclosing;
  if (!member) throw new Refusal('USER_NOT_REGISTERED_FOR_ORG');
  return requireOrganisation(deps, member.orgCode, requester);
}

/**
 * Finds the member with this email or primary attribute, ignoring the Unicode composition and width of characters. Runs
 * the same queries whether or not the member exists.
 */
export function findPushPerson(
  tx: Tx,
  { orgCode }: organisationRepo.OrganisationRow,
  name: string,
  hasDevice: (of: { orgCode: string; suid: string }) => boolean,
): PushPerson {
  const prepared = normaliseUserName(name);
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
