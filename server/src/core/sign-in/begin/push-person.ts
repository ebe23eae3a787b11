import { memberRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { composed, type ResultName } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import type { Requester } from '../challenges/begin.ts';
import { normaliseUserName } from '../find-member.ts';
import { requireOrganisation } from './require-organisation.ts';

/** The named member, and the reason if no push can reach them. */
export interface PushRecipient {
  /** '' if the member doesn't exist. */
  suid: string;
  obstacle: ResultName | undefined;
}

/**
 * Returns the organisation for a push. If the request doesn't name an organisation, returns the only one that has a
 * member with this address and discloses its members.
 * @throws Refusal ORG_CODE_NOT_FOUND, IP_NOT_VALID; USER_IN_MULTIPLE_ORGS if several organisations match;
 * USER_NOT_REGISTERED_FOR_ORG if none matches
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
 * Finds the member with this email or primary attribute, ignoring differences in Unicode composition and character
 * width. Runs the same queries whether or not the member exists.
 */
export function findPushRecipient(
  tx: Tx,
  { orgCode }: Pick<organisationRepo.OrganisationRow, 'orgCode'>,
  name: string,
  hasDevice: (of: { orgCode: string; suid: string }) => boolean,
): PushRecipient {
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
