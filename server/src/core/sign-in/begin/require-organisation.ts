import { organisationRepo } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { requireAllowedIp } from '#platform/http/callers/allowed-ip.ts';
import { Refusal } from '#platform/refusal.ts';
import type { Requester } from '../challenges/begin.ts';

/** Returns the organisation with this code. @throws Refusal ORG_CODE_NOT_FOUND; IP_NOT_VALID */
export function requireOrganisation(
  { db }: Deps,
  orgCode: string,
  { ip }: Requester,
): organisationRepo.OrganisationRow {
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  if (!organisation) throw new Refusal('ORG_CODE_NOT_FOUND');
  requireAllowedIp(ip, organisation);
  return organisation;
}
