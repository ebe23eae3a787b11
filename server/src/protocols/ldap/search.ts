import { setImmediate } from 'node:timers/promises';
import {
  type applicationRepo,
  groupRepo,
  memberFilterRepo,
  memberRepo,
  organisationRepo,
  provisioningRepo,
  roleRepo,
} from '@orchestrate/db';
import { baseDnOf } from '../../core/directory/names.ts';
import { mayUseApplication } from '../../core/sign-in/app-users.ts';
import type { Deps } from '../../deps.ts';
import type { Bound } from './bind.ts';
import { frameEntries, groupEntry, type NamedGroup, personDnOf, personEntry } from './entries.ts';
import type { LdapFilter } from './filter.ts';
import { matcherOf } from './matches.ts';
import { memberConditionOf } from './member-condition.ts';
import { type LdapEntry, type LdapResult, PAGED_RESULTS, type Page, RESULT, type SearchWish } from './message.ts';
import { type Located, locate, type NamePart, readName } from './names.ts';

/** Of one search or page, and of the members of a group. */
const ENTRIES_MAX = 1_000;
/** Members read before others have their turn. */
const SLICE = 2_000;
const SCOPE = { base: 0, one: 1, subtree: 2 } as const;
const SCOPES: ReadonlySet<number> = new Set(Object.values(SCOPE));

export const START_TLS = '1.3.6.1.4.1.1466.20037';
export const WHO_AM_I = '1.3.6.1.4.1.4203.1.11.3';

/** What the server says of itself to anybody (RFC 4512 §5.1), and where the tree is to those who may read it. */
const rootDse = (canStartTls: boolean, bound: Bound | undefined): LdapEntry => ({
  dn: '',
  attributes: {
    objectClass: ['top'],
    ...(bound && { namingContexts: [baseDnOf(bound.application)] }),
    vendorName: ['Orchestrate'],
    supportedLDAPVersion: ['3'],
    supportedExtension: [WHO_AM_I, ...(canStartTls ? [START_TLS] : [])],
    supportedControl: [PAGED_RESULTS],
    supportedFeatures: [],
  },
});

interface Found {
  entries: LdapEntry[];
  result: LdapResult;
  /** For the next page; '' after the last one, undefined where none are asked for. */
  cookie: string | undefined;
}

/**
 * Finds what a connection may read. A cookie is where the next page begins: nothing is kept between two of them.
 * @param bound undefined for one that has not signed in, which may read the root alone
 * @returns the entries with the attributes that are asked for, and how it ends
 */
export async function answerSearch(
  deps: Deps,
  bound: Bound | undefined,
  { page, ...wish }: SearchWish & { page: Page | undefined },
  canStartTls: boolean,
): Promise<Found> {
  const none = (code: number, message?: string): Found => ({
    entries: [],
    result: { code, message },
    cookie: page && '',
  });
  if (!SCOPES.has(wish.scope)) return none(RESULT.protocolError, 'This scope is not known.');
  const meets = matcherOf(wish.filter);
  if (wish.base === '' && wish.scope === SCOPE.base) {
    const found = [rootDse(canStartTls, bound)].filter(meets);
    return { ...none(RESULT.success), entries: found.map((entry) => chosen(entry, wish)) };
  }
  if (!bound) return none(RESULT.insufficientAccessRights, 'Bind first.');
  if (page?.size === 0) return none(RESULT.success);
  const cookie = page?.cookie || '0';
  if (!/^\d{1,9}$/.test(cookie)) return none(RESULT.unwillingToPerform, 'This cookie is not known.');
  const base = readName(wish.base);
  if (!base) return none(RESULT.invalidDnSyntax);
  const found = locate(deps, base);
  if (found?.application.appId !== bound.application.appId || found.application.orgCode !== bound.application.orgCode) {
    return none(RESULT.noSuchObject);
  }
  const from = Number(cookie);
  const { application } = found;
  const isThere = keyOf(base);
  const isWithin = (entry: LdapEntry) => isInScope(keyOf(readName(entry.dn) ?? []), isThere, wish.scope);
  const everything = [
    ...frameEntries(application),
    ...(await groupEntries(deps, bound, found, wish, isWithin)),
    ...(await personEntries(deps, bound, application, { ...wish, most: from + ENTRIES_MAX }, found.inner)),
  ];
  if (!everything.some((entry) => keyOf(readName(entry.dn) ?? []) === isThere)) return none(RESULT.noSuchObject);
  const hits = everything.filter((entry) => isWithin(entry) && meets(entry));
  const limit = wish.sizeLimit || Number.POSITIVE_INFINITY;
  const end = Math.min(from + Math.min(page?.size ?? ENTRIES_MAX, ENTRIES_MAX), limit);
  const hasMore = hits.length > end;
  const isCut = hasMore && (!page || end === limit);
  return {
    entries: hits.slice(from, end).map((entry) => chosen(entry, wish)),
    result: { code: isCut ? RESULT.sizeLimitExceeded : RESULT.success },
    cookie: page && (hasMore && !isCut ? String(end) : ''),
  };
}

/** Answers whether an entry has a value (RFC 4511 §4.10), by what a search would find. */
export async function answerCompare(
  deps: Deps,
  bound: Bound | undefined,
  { dn, attribute, value }: { dn: string; attribute: string; value: string },
): Promise<LdapResult> {
  const find = (filter: LdapFilter) =>
    answerSearch(
      deps,
      bound,
      {
        ...{ base: dn, scope: SCOPE.base, sizeLimit: 0, typesOnly: true, attributes: [attribute] },
        ...{ filter, page: undefined },
      },
      false,
    );
  const { entries, result } = await find({ op: 'eq', attribute, value });
  if (result.code !== RESULT.success) return result;
  if (entries.length > 0) return { code: RESULT.compareTrue };
  const present = await find({ op: 'present', attribute });
  return { code: present.entries.length > 0 ? RESULT.compareFalse : RESULT.noSuchAttribute };
}

/** A name to compare: the outermost part first, so that what is below begins with it. */
const keyOf = (parts: readonly NamePart[]): string =>
  parts
    .toReversed()
    .map(({ attribute, value }) => `${attribute}=${JSON.stringify(value.toLowerCase())}`)
    .join(',');

function isInScope(key: string, base: string, scope: number): boolean {
  if (key === base) return scope !== SCOPE.one;
  if (!key.startsWith(`${base},`) || scope === SCOPE.base) return false;
  return scope === SCOPE.subtree || !/",\w/.test(key.slice(base.length + 1));
}

/** Groups whose members are read before others have their turn. */
const GROUPS_AT_ONCE = 20;

interface Listed extends NamedGroup {
  members: () => memberRepo.MemberRow[];
}

/**
 * The roles, and the groups beside them. Members are read only of those that are asked for and may meet the filter.
 * @param isWithin whether an entry is in the part of the tree that is asked for
 */
async function groupEntries(
  { db }: Deps,
  bound: Bound,
  { application, inner }: Located,
  { filter, attributes }: SearchWish,
  isWithin: (entry: LdapEntry) => boolean,
): Promise<LdapEntry[]> {
  const { orgCode } = application;
  const wantsMembers = attributes.length === 0 || attributes.includes('*') || attributes.includes('member');
  const meets = matcherOf(filter);
  const asksMembers = namesMember(filter);
  const person = bound.suid === undefined ? undefined : memberRepo.findMember(db, orgCode, bound.suid);
  const own = person && isShown(db, application, person) ? person : undefined;
  // A search below one group has to find that group, with anybody in it.
  const asked = own ?? memberAskedBy(db, application, filter);
  const only = own ?? (inner.length < 2 ? asked : undefined);
  const isIn = new Set(asked && listedGroups(db, orgCode, asked).map(({ cn }) => cn));
  const entries: LdapEntry[] = [];
  let read = 0;
  for (const group of bound.suid === undefined || own ? listedGroups(db, orgCode, only) : []) {
    const bare = groupEntry(application, group, []);
    const isHit = isWithin(bare) && (asksMembers || meets(bare));
    if (!isHit || !(wantsMembers || asksMembers)) {
      entries.push(bare);
      continue;
    }
    read += 1;
    if (read % GROUPS_AT_ONCE === 0) await setImmediate();
    const others = own ? [] : group.members();
    // A large group has more members than are read.
    const members = asked && isIn.has(group.cn) ? [asked, ...others.filter(({ suid }) => suid !== asked.suid)] : others;
    entries.push(
      groupEntry(
        application,
        group,
        members.filter((member) => isShown(db, application, member)),
      ),
    );
  }
  return entries;
}

/** The groups of an organisation, or those that somebody is in. */
function listedGroups(db: Deps['db'], orgCode: string, of: memberRepo.MemberRow | undefined): Listed[] {
  const roles = roleRepo.listRoles(db, orgCode).filter(({ roleCode }) => !of || roleCode === of.roleCode);
  const groups = of ? groupRepo.listGroupsOf(db, orgCode, of.suid) : groupRepo.listGroups(db, orgCode);
  return [
    ...roles.map(({ roleCode, name }) => ({
      cn: roleCode,
      description: name,
      members: () => provisioningRepo.listMembersOfRole(db, orgCode, roleCode, ENTRIES_MAX),
    })),
    ...groups.map(({ groupId, displayName }) => ({
      cn: displayName,
      description: displayName,
      members: () => groupRepo.listMembersOfGroup(db, orgCode, groupId, ENTRIES_MAX),
    })),
  ];
}

/** Whose groups a filter asks for by `(member=…)`, as programs do that look up what somebody is in. */
function memberAskedBy(
  db: Deps['db'],
  application: applicationRepo.ApplicationRow,
  filter: LdapFilter,
): memberRepo.MemberRow | undefined {
  const parts = filter.op === 'and' ? filter.filters : [filter];
  const asked = parts.find((part) => part.op === 'eq' && part.attribute === 'member');
  const name = (asked?.op === 'eq' && readName(asked.value)) || [];
  const [person] = name;
  const member = person && memberRepo.findMemberByEmail(db, application.orgCode, person.value.toLowerCase());
  return member && keyOf(readName(personDnOf(application, member)) ?? []) === keyOf(name) ? member : undefined;
}

function namesMember(filter: LdapFilter): boolean {
  if (filter.op === 'and' || filter.op === 'or') return filter.filters.some(namesMember);
  if (filter.op === 'not') return namesMember(filter.filter);
  return 'attribute' in filter && filter.attribute === 'member';
}

/** Only those who could sign in. */
const isShown = (db: Deps['db'], application: applicationRepo.ApplicationRow, member: memberRepo.MemberRow): boolean =>
  member.accountStatus === 'active' && mayUseApplication(db, application, member);

/** Those who may meet the filter. @param wish with `most`: one more than these are found */
async function personEntries(
  { db }: Deps,
  bound: Bound,
  application: applicationRepo.ApplicationRow,
  { filter, scope, most }: SearchWish & { most: number },
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

/** An entry with the attributes that are asked for. */
function chosen({ dn, attributes }: LdapEntry, { attributes: wanted, typesOnly }: SearchWish): LdapEntry {
  const isAll = wanted.length === 0 || wanted.includes('*') || wanted.includes('+');
  const kept = Object.entries(attributes).filter(
    ([name, values]) => values.length > 0 && (isAll || wanted.includes(name.toLowerCase())),
  );
  return { dn, attributes: Object.fromEntries(kept.map(([name, values]) => [name, typesOnly ? [] : values])) };
}
