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
import type { BoundIdentity } from './bind.ts';
import { FIRST_GID_NUMBER, FIRST_UID_NUMBER, personEntry } from './entries.ts';
import type { LdapFilter } from './filter.ts';
import { matcherOf } from './matches.ts';
import { type LdapEntry, SCOPE, type SearchRequest } from './message.ts';
import { type Rdn, readName } from './names.ts';

type Condition = memberFilterRepo.MemberCondition;
type Column = memberFilterRepo.MemberColumn;

/** Maps person attributes to the columns that store the same value. */
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
 * Translates a filter to a database condition that every matching member meets. Other members can meet it too,
 * because the database can't compare some LDAP values. `matches` makes the final decision.
 */
function memberConditionOf(filter: LdapFilter, isNegated = false): Condition {
  const anyMember: Condition = { op: 'is', value: !isNegated };
  switch (filter.op) {
    case 'and':
    case 'or':
      // SQL has no empty lists. In RFC 4526, an empty `and` is true and an empty `or` is false.
      if (filter.filters.length === 0) return { op: 'is', value: filter.op === 'and' };
      return { op: filter.op, conditions: filter.filters.map((one) => memberConditionOf(one, isNegated)) };
    case 'not':
      return { op: 'not', condition: memberConditionOf(filter.filter, !isNegated) };
    case 'eq': {
      if (filter.attribute === 'memberof' && !isNegated) return inGroup(filter.value) ?? anyMember;
      const column = COLUMNS[filter.attribute];
      if (!column) return anyMember;
      return isNegated ? { op: 'eq', column, value: filter.value } : hasWords(column, filter.value);
    }
    case 'substrings': {
      const column = COLUMNS[filter.attribute];
      if (!column || isNegated) return anyMember;
      return {
        op: 'and',
        conditions: [filter.initial, ...filter.any, filter.final].map((part) => hasWords(column, part)),
      };
    }
    default:
      return anyMember;
  }
}

/**
 * Returns a condition that is true if a column contains all of a string's words, regardless of the spaces between
 * them. For phone numbers, matching words alone don't prove a match.
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

/** Number of members to read before yielding to other requests. */
const SLICE = 2_000;

/** Returns true if the member is visible to an application: active and allowed to use it. */
export const isVisibleTo = (
  db: Deps['db'],
  application: applicationRepo.ApplicationRow,
  member: memberRepo.MemberRow,
): boolean => member.accountStatus === 'active' && mayUseApplication(db, application, member);

/**
 * Returns the entries of members who may match a filter, ordered by member number and starting after the number
 * `above`. Stops reading slices of members once more than `most` entries were found.
 */
export async function personEntries(
  { db, clock }: Deps,
  bound: BoundIdentity,
  application: applicationRepo.ApplicationRow,
  { filter, scope, most, above }: SearchRequest & { most: number; above: number },
  inner: readonly Rdn[],
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
  const { after, upTo } = memberFilterRepo.memberIdSlice(db, organisation);
  const first = isPerson ? after : after + Math.max(above - FIRST_UID_NUMBER, 0);
  const numberOf = unixGroupRepo.unixNumberLookup(db, organisation.orgCode);
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
      if (!isVisibleTo(db, application, member)) continue;
      const names = (groups.get(member.suid) ?? []).map(({ displayName }) => displayName);
      const gidNumber = String(FIRST_GID_NUMBER + numberOf('role', member.roleCode));
      const entry = personEntry(application, member, { groups: names, gidNumber, now });
      if (isPerson || meets(entry)) entries.push(entry);
    }
  }
  return entries;
}
