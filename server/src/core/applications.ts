import { applicationRepo, groupRepo, type memberRepo, type Tx } from '@orchestrate/db';
import { Refusal } from '#platform/refusal.ts';

/**
 * Components of an application's LDAP names. They need no escaping, because they only contain letters, digits, `-`
 * and `_`.
 */
interface Named {
  orgCode: string;
  appId: string;
}

/** Returns an LDAP application's base DN. */
export const baseDnOf = ({ orgCode, appId }: Named): string => `ou=${appId},o=${orgCode}`;

/** Returns the DN of the account that the application uses for its searches. */
export const serviceDnOf = (application: Named): string => `cn=service,${baseDnOf(application)}`;

/**
 * Returns one of the organisation's applications. @throws Refusal ORG_APP_MISSING if the organisation doesn't have
 * the application, even if another organisation does
 */
export function requireApplication(tx: Tx, orgCode: string, appId: string): applicationRepo.ApplicationRow {
  const found = applicationRepo.findApplication(tx, orgCode, appId);
  if (!found) throw new Refusal('ORG_APP_MISSING');
  return found;
}

/**
 * Returns true if a member is allowed to use an application (decision 177). Each protocol checks this at sign-in, and
 * again when it reuses an earlier sign-in.
 */
export function mayUseApplication(
  tx: Tx,
  { usableBy }: Pick<applicationRepo.ApplicationRow, 'usableBy'>,
  { orgCode, suid, roleCode }: Pick<memberRepo.MemberRow, 'orgCode' | 'suid' | 'roleCode'>,
): boolean {
  if (usableBy === null || usableBy.roles.includes(roleCode) || usableBy.people.includes(suid)) return true;
  const { groups = [] } = usableBy;
  return (
    groups.length > 0 && groupRepo.listMemberGroups(tx, orgCode, suid).some(({ groupId }) => groups.includes(groupId))
  );
}
