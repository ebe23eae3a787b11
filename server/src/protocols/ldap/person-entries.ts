import { setImmediate } from 'node:timers/promises';
import {
  type applicationRepo,
  groupRepo,
  memberFilterRepo,
  type memberRepo,
  organisationRepo,
  unixGroupRepo,
} from '@orchestrate/db';
import { mayUseApplication } from '../../core/sign-in/app-users.ts';
import type { Deps } from '../../deps.ts';
import type { Bound } from './bind.ts';
import { FIRST_GROUP_NUMBER, FIRST_UNIX_NUMBER, personEntry } from './entries.ts';
import { matcherOf } from './matches.ts';
import { memberConditionOf } from './member-condition.ts';
import { type LdapEntry, SCOPE, type SearchRequest } from './message.ts';
import type { NamePart } from './names.ts';

/** Members read before others have their turn. */
const SLICE = 2_000;

/** Only those who could sign in. */
export const isShown = (
  db: Deps['db'],
  application: applicationRepo.ApplicationRow,
  member: memberRepo.MemberRow,
): boolean => member.accountStatus === 'active' && mayUseApplication(db, application, member);

/**
 * Those who may meet the filter, in the order of their numbers. @param wish with `most`: one more than these are found;
 * with `above`: a number after which they begin
 */
export async function personEntries(
  { db, clock }: Deps,
  bound: Bound,
  application: applicationRepo.ApplicationRow,
  { filter, scope, most, above }: SearchRequest & { most: number; above: number },
  inner: readonly NamePart[],
): Promise<LdapEntry[]> {
  const organisation = organisationRepo.findOrganisation(db, application.orgCode);
  const [inmost, second] = inner;
  const branch = (second ?? inmost)?.value.toLowerCase();
  const isAbove = inner.length === 0 ? scope === SCOPE.subtree : inner.length === 1 && scope !== SCOPE.base;
  const isPerson = inner.length === 2;
  if (!organisation || (branch !== undefined && branch !== 'people') || !(isAbove || isPerson)) return [];
  const condition: memberFilterRepo.MemberCondition = {
    op: 'and',
    conditions: [
      isPerson ? { op: 'eq', column: 'email', value: inmost?.value ?? '' } : memberConditionOf(filter),
      bound.suid === undefined
        ? { op: 'is', value: true }
        : { op: 'eq', column: 'id', value: bound.suid, isExact: true },
    ],
  };
  const meets = matcherOf(filter);
  const find = memberFilterRepo.memberFinder(db, { condition });
  const { after, upTo } = memberFilterRepo.idsOfMembers(db, organisation);
  const first = isPerson ? after : after + Math.max(above - FIRST_UNIX_NUMBER, 0);
  const numberOf = unixGroupRepo.unixNumbersOf(db, organisation.orgCode);
  const now = clock.now();
  const entries: LdapEntry[] = [];
  for (let start = first; start < upTo && entries.length <= most; start += SLICE) {
    if (start > first) await setImmediate();
    const ids = find({ after: start, upTo: Math.min(start + SLICE, upTo) }).map(({ id }) => id);
    const found = memberFilterRepo.listMembersByIds(db, organisation, ids);
    const groups = groupRepo.groupsByMember(
      db,
      organisation.orgCode,
      found.map(({ suid }) => suid),
    );
    for (const member of found) {
      if (!isShown(db, application, member)) continue;
      const names = (groups.get(member.suid) ?? []).map(({ displayName }) => displayName);
      const gidNumber = String(FIRST_GROUP_NUMBER + numberOf('role', member.roleCode));
      const entry = personEntry(application, member, { groups: names, gidNumber, now });
      if (isPerson || meets(entry)) entries.push(entry);
    }
  }
  return entries;
}
