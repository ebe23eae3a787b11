import { type Member, readJson } from '@orchestrate/shared';
import type { MemberSegment } from '#lib/address/member-address.ts';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import { PERSONAL_STORAGE_KEYS } from '#lib/session/personal-storage.ts';
import { currentSession } from '#lib/session/session.ts';

/** What a link to a member needs. */
export type RecentMember = MemberSegment & Pick<Member, 'accountStatus'>;

const KEY = PERSONAL_STORAGE_KEYS.recentMembers;
const COUNT = 4;

const owner = () => currentSession()?.profile.suid;

/** Returns the members that the user has opened in this tab, latest first. */
export function readRecentMembers(): RecentMember[] {
  const stored = readJson(readStored(KEY, 'sessionStorage')) as { suid?: string; members?: RecentMember[] } | undefined;
  return (stored?.suid === owner() && stored?.members) || [];
}

/** Puts a member first among those that the user has opened in this tab. */
export function addRecentMember({ suid, primaryAttr, fullName, accountStatus }: RecentMember): void {
  const others = readRecentMembers().filter((other) => other.suid !== suid);
  const members = [{ suid, primaryAttr, fullName, accountStatus }, ...others].slice(0, COUNT);
  writeStored(KEY, JSON.stringify({ suid: owner(), members }), 'sessionStorage');
}
