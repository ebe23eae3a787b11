import { setImmediate } from 'node:timers/promises';
import { type applicationRepo, groupRepo, memberFilterRepo, type memberRepo, organisationRepo } from '@orchestrate/db';
import { mayUseApplication } from '../../core/sign-in/app-users.ts';
import type { Deps } from '../../deps.ts';
import type { Bound } from './bind.ts';
import { personEntry } from './entries.ts';
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

/** Those who may meet the filter. @param wish with `most`: one more than these are found */
export async function personEntries(
  { db }: Deps,
  bound: Bound,
  application: applicationRepo.ApplicationRow,
  { filter, scope, most }: SearchRequest & { most: number },
  inner: readonly NamePart[],
): Promise<LdapEntry[]> {
  const organisation = organisationRepo.findOrganisation(db, application.orgCode);
  const [first, second] = inner;
  const branch = (second ?? first)?.value.toLowerCase();
  const isAbove = inner.length === 0 ? scope === SCOPE.subtree : inner.length === 1 && scope !== SCOPE.base;
  const isPerson = inner.length === 2;
  if (!organisation || (branch !== undefined && branch !== 'people') || !(isAbove || isPerson)) return [];
  const condition: memberFilterRepo.MemberCondition = {
    op: 'and',
    conditions: [
      isPerson ? { op: 'eq', column: 'email', value: first?.value ?? '' } : memberConditionOf(filter),
      bound.suid === undefined
        ? { op: 'is', value: true }
        : { op: 'eq', column: 'id', value: bound.suid, isExact: true },
    ],
  };
  const meets = matcherOf(filter);
  const find = memberFilterRepo.memberFinder(db, { condition });
  const { after, upTo } = memberFilterRepo.idsOfMembers(db, organisation);
  const entries: LdapEntry[] = [];
  for (let start = after; start < upTo && entries.length <= most; start += SLICE) {
    if (start > after) await setImmediate();
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
      const entry = personEntry(application, member, names);
      if (isPerson || meets(entry)) entries.push(entry);
    }
  }
  return entries;
}
