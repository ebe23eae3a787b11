import { setImmediate } from 'node:timers/promises';
import {
  type applicationRepo,
  groupRepo,
  memberFilterRepo,
  type memberRepo,
  organisationRepo,
  unixGroupRepo,
} from '@orchestrate/db';
import { mayUseApplication } from '#core/applications.ts';
import type { Deps } from '#deps.ts';
import type { Bound } from './bind.ts';
import { FIRST_GROUP_NUMBER, FIRST_UNIX_NUMBER, personEntry } from './entries.ts';
import type { LdapFilter } from './filter.ts';
import { matcherOf } from './matches.ts';
import { type LdapEntry, SCOPE, type SearchRequest } from './message.ts';
import { type NamePart, readName } from './names.ts';

type Condition = memberFilterRepo.MemberCondition;
type Column = memberFilterRepo.MemberColumn;

/** Columns that store person attributes as the same text. */
const COLUMNS: Readonly<Record<string, Column>> = {
  uid: 'email',
  mail: 'email',
  cn: 'formattedName',
  displayname: 'formattedName',
  givenname: 'givenName',
  employeenumber: 'employeeNumber',
  mobile: 'mobileNumber',
};

/**
 * Translates a filter to a database condition that every matching member meets. It may match more members, because the
 * database cannot compare some LDAP values: `matches` decides afterwards.
 */
function memberConditionOf(filter: LdapFilter, isNegated = false): Condition {
  const everybody: Condition = { op: 'is', value: !isNegated };
  switch (filter.op) {
    case 'and':
    case 'or':
      // SQL has no empty lists. RFC 4526: an empty `and` is true, an empty `or` false.
      if (filter.filters.length === 0) return { op: 'is', value: filter.op === 'and' };
      return { op: filter.op, conditions: filter.filters.map((one) => memberConditionOf(one, isNegated)) };
    case 'not':
      return { op: 'not', condition: memberConditionOf(filter.filter, !isNegated) };
    case 'eq': {
      if (filter.attribute === 'memberof' && !isNegated) return inGroup(filter.value) ?? everybody;
      const column = COLUMNS[filter.attribute];
      if (!column) return everybody;
      return isNegated ? { op: 'eq', column, value: filter.value } : hasWords(column, filter.value);
    }
    case 'substrings': {
      const column = COLUMNS[filter.attribute];
      if (!column || isNegated) return everybody;
      return {
        op: 'and',
        conditions: [filter.initial, ...filter.any, filter.final].map((part) => hasWords(column, part)),
      };
    }
    default:
      return everybody;
  }
}

/**
 * Returns the words that a text must contain, whatever spaces are between them. For numbers, words are not conclusive.
 */
function hasWords(column: Column, text: string): Condition {
  const words = text.split(column === 'mobileNumber' ? /[\s\p{Dash_Punctuation}]+/u : /\s+/).filter(Boolean);
  const conditions = words.map((value) => ({ op: 'co' as const, column, value }));
  return { op: 'and', conditions: [{ op: 'is', value: true }, ...conditions] };
}

function inGroup(dn: string): Condition | undefined {
  const [group] = readName(dn) ?? [];
  if (!group) return undefined;
  const { value } = group;
  return { op: 'or', conditions: (['roleCode', 'groupName'] as const).map((column) => hasWords(column, value)) };
}

/** Number of members read before other requests are served. */
const SLICE = 2_000;

/** Returns true for members who could sign in. */
export const isShown = (
  db: Deps['db'],
  application: applicationRepo.ApplicationRow,
  member: memberRepo.MemberRow,
): boolean => member.accountStatus === 'active' && mayUseApplication(db, application, member);

/**
 * Returns members who may match the filter, ordered by number.
 * @param wish `most` limits the result to one more than this; `above` is the number after which it starts
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
