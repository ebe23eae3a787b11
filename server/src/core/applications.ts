import { applicationRepo, groupRepo, type memberRepo, type Tx } from '@orchestrate/db';
import { Refusal } from '#platform/refusal.ts';

/** The parts of an application's LDAP names. They need no escaping: letters, digits, `-` and `_`. */
interface Named {
  orgCode: string;
  appId: string;
}

/** Returns the base DN of an LDAP application. */
export const baseDnOf = ({ orgCode, appId }: Named): string => `ou=${appId},o=${orgCode}`;

/** Returns the DN of the account that the application itself searches with. */
export const serviceDnOf = (application: Named): string => `cn=service,${baseDnOf(application)}`;

/** Returns an application of the organisation. @throws Refusal ORG_APP_MISSING, also if another organisation has it */
export function requireApplication(tx: Tx, orgCode: string, appId: string): applicationRepo.ApplicationRow {
  const found = applicationRepo.findApplication(tx, orgCode, appId);
  if (!found) throw new Refusal('ORG_APP_MISSING');
  return found;
}

/**
 * Returns true if a member may use an application (decision 177). Each protocol checks this at sign-in, and again when it
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
