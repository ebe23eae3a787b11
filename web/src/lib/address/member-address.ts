import type { AccountStatus, Member } from '@orchestrate/shared';
import { fullNameOf } from '../format/full-name.ts';
import { encodeMemberSegment } from './member-segment.ts';

/** Members about whom the address also gives some data (spec 1 §2). */
const TOLD: ReadonlySet<AccountStatus> = new Set(['unregistered', 'deleted']);

/** Address of a member's detail, below one of the lists: `paths.member` or `paths.directReport`. */
export function memberAddress(pathTo: (segment: string) => string, member: Member): string {
  const { primaryAttr, suid, accountStatus } = member;
  const path = pathTo(encodeMemberSegment({ primaryAttr, suid, fullName: fullNameOf(member) }));
  return TOLD.has(accountStatus) ? `${path}?status=${accountStatus}` : path;
}
