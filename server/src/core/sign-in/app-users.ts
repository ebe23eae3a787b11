import type { applicationRepo, memberRepo } from '@orchestrate/db';

/**
 * Whether a member may use an application (decision 177). Each protocol asks it of the person who has signed in, and again where
 * a sign-in from before is used.
 */
export function mayUseApplication(
  { usableBy }: Pick<applicationRepo.ApplicationRow, 'usableBy'>,
  { suid, roleCode }: Pick<memberRepo.MemberRow, 'suid' | 'roleCode'>,
): boolean {
  return usableBy === null || usableBy.roles.includes(roleCode) || usableBy.people.includes(suid);
}
