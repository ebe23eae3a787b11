import { type applicationRepo, groupRepo, memberRepo, roleRepo, type Tx } from '@orchestrate/db';
import { type ApplicationDetail, type AppUsers, fullNameOf } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';

/** Returns the roles, groups and members that can use an application, for its editor. */
export function appUsersOf(
  tx: Tx,
  { orgCode, usableBy }: Pick<applicationRepo.ApplicationRow, 'orgCode' | 'usableBy'>,
): ApplicationDetail['usableBy'] {
  if (!usableBy) return null;
  const people = usableBy.people.flatMap((suid) => presentMember(tx, orgCode, suid) ?? []);
  const groups = (usableBy.groups ?? []).flatMap((groupId) => groupRepo.findGroup(tx, orgCode, groupId) ?? []);
  return {
    groups: groups.map(({ groupId, displayName }) => ({ groupId, displayName })),
    roles: usableBy.roles.filter((roleCode) => roleRepo.findRole(tx, orgCode, roleCode)),
    people: people.map(({ suid, firstName, lastName, primaryEmail }) => ({
      suid,
      name: fullNameOf({ firstName, lastName }),
      email: primaryEmail,
    })),
  };
}

/**
 * Verifies that the roles, groups and members that can use an application exist in the organisation. Entries that were already in the list are accepted even if they have been deleted since.
 * @throws Refusal INVALID_REQUEST
 */
export function requireAppUsers(
  tx: Tx,
  { orgCode, integrationType, usableBy: before }: applicationRepo.ApplicationRow,
  usableBy: AppUsers | undefined,
): void {
  if (!usableBy) return;
  // Access to the portal depends only on the account status, so administrators can't lock everyone out.
  if (integrationType === 'portal')
    throw refused('usableBy', 'The portal can’t be restricted: every member can use it');
  for (const [at, roleCode] of usableBy.roles.entries()) {
    if (before?.roles.includes(roleCode) || roleRepo.findRole(tx, orgCode, roleCode)) continue;
    throw refused(`usableBy.roles.${at}`, "This role doesn't exist");
  }
  for (const [at, suid] of usableBy.people.entries()) {
    if (before?.people.includes(suid) || presentMember(tx, orgCode, suid)) continue;
    throw refused(`usableBy.people.${at}`, 'There is no member with this ID');
  }
  for (const [at, groupId] of usableBy.groups.entries()) {
    if (before?.groups?.includes(groupId) || groupRepo.findGroup(tx, orgCode, groupId)) continue;
    throw refused(`usableBy.groups.${at}`, "This group doesn't exist");
  }
}

function presentMember(tx: Tx, orgCode: string, suid: string): memberRepo.MemberRow | undefined {
  const member = memberRepo.findMember(tx, orgCode, suid);
  return member?.accountStatus === 'deleted' ? undefined : member;
}

const refused = (path: string, message: string) => new Refusal('INVALID_REQUEST', { issues: [{ path, message }] });
