import { type AccountStatus, fullNameOf, type Member } from '@orchestrate/shared';
import { encodeMemberSegment, type MemberSegment } from './member-segment.ts';

/** Members about whom the address also gives some data (spec 1 §2). */
const TOLD: ReadonlySet<AccountStatus> = new Set(['unregistered', 'invited', 'deleted']);

/** Address of a member's detail, below one of the lists: `paths.member` or `paths.directReport`. */
export const memberAddress = (pathTo: (segment: string) => string, member: Member): string =>
  namedAddress(pathTo, { ...member, fullName: fullNameOf(member) });

/** The same of somebody of whom only this is known. */
export function namedAddress(
  pathTo: (segment: string) => string,
  { primaryAttr, suid, fullName, accountStatus }: MemberSegment & Pick<Member, 'accountStatus'>,
): string {
  const path = pathTo(encodeMemberSegment({ primaryAttr, suid, fullName }));
  return TOLD.has(accountStatus) ? `${path}?status=${accountStatus}` : path;
}
