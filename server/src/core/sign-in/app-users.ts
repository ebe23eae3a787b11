import { type applicationRepo, groupRepo, type memberRepo, type Tx } from '@orchestrate/db';

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
