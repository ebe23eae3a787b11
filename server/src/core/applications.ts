import { applicationRepo, groupRepo, type memberRepo, type Tx } from '@orchestrate/db';
import { Refusal } from '#platform/refusal.ts';

/** An application as its names in LDAP have it. Ids and codes need no escaping: letters, digits, `-` and `_`. */
interface Named {
  orgCode: string;
  appId: string;
}

/** The entry under which everything of an LDAP application is. */
export const baseDnOf = ({ orgCode, appId }: Named): string => `ou=${appId},o=${orgCode}`;

/** The account with which the application itself searches. */
export const serviceDnOf = (application: Named): string => `cn=service,${baseDnOf(application)}`;

/**
 * An application of the organisation. @throws Refusal ORG_APP_MISSING, also for an application of another organisation
 */
export function requireApplication(tx: Tx, orgCode: string, appId: string): applicationRepo.ApplicationRow {
  const found = applicationRepo.findApplication(tx, orgCode, appId);
  if (!found) throw new Refusal('ORG_APP_MISSING');
  return found;
}

/**
 * Whether a member may use an application (decision 177). Each protocol checks this at sign-in, and again when it
 * reuses an earlier sign-in.
 */
export function mayUseApplication(
  tx: Tx,
  { usableBy }: Pick<applicationRepo.ApplicationRow, 'usableBy'>,
  { orgCode, suid, roleCode }: Pick<memberRepo.MemberRow, 'orgCode' | 'suid' | 'roleCode'>,
): boolean {
  if (usableBy === null || usableBy.roles.includes(roleCode) || usableBy.people.includes(suid)) return true;
  const { groups = [] } = usableBy;
  return groups.length > 0 && groupRepo.listGroupsOf(tx, orgCode, suid).some(({ groupId }) => groups.includes(groupId));
}
