import { setImmediate } from 'node:timers/promises';
import {
  type applicationRepo,
  groupRepo,
  memberRepo,
  organisationRepo,
  provisioningRepo,
  roleRepo,
  unixGroupRepo,
} from '@orchestrate/db';
import { baseDnOf } from '#core/applications.ts';
import type { Deps } from '#deps.ts';
import { isOperational } from './attributes.ts';
import type { BoundIdentity } from './bind.ts';
import { baseEntries, FIRST_GID_NUMBER, groupEntry, type NamedGroup, personDnOf } from './entries.ts';
import type { LdapFilter } from './filter.ts';
import { matcherOf } from './matches.ts';
import {
  ENTRIES_MAX,
  type LdapEntry,
  type LdapResult,
  PAGED_RESULTS,
  type Page,
  RESULT,
  SCOPE,
  type SearchRequest,
} from './message.ts';
import { comparisonKeyOf, INVALID_NAME, type LocatedName, locate, readName } from './names.ts';
import { isVisibleTo, personEntries } from './person-entries.ts';
import { SCHEMA_DN, SUBSCHEMA } from './schema.ts';

/** Number of groups whose members are read before yielding to other requests. */
const GROUPS_AT_ONCE = 20;

interface Listed extends NamedGroup {
  members: () => memberRepo.MemberRow[];
}

/**
 * Returns role and group entries. Reads members only for groups in scope that may match the filter, and only if
 * members are needed.
 * @param isWithin returns true for entries in the search scope
 */
async function groupEntries(
  deps: Deps,
  bound: BoundIdentity,
  { application, inner }: LocatedName,
  { filter, attributes }: SearchRequest,
  isWithin: (entry: LdapEntry) => boolean,
): Promise<LdapEntry[]> {
  const { db } = deps;
  const { orgCode } = application;
  const now = deps.clock.now();
  const wantsMembers = ['*', ...MEMBERS].some((name) => attributes.has(name)) || attributes.size === 0;
  const meets = matcherOf(filter);
  const asksMembers = namesMember(filter);
  const person = bound.suid === undefined ? undefined : memberRepo.findMember(db, orgCode, bound.suid);
  const own = person && isVisibleTo(db, application, person) ? person : undefined;
  // If the filter identifies a member, list only their groups. A search within one group must find that group even if
  // the member isn't in it.
  const target = own ?? memberAskedBy(db, application, filter);
  const only = own ?? (inner.length < 2 ? target : undefined);
  const isIn = new Set(target && listedGroups(deps, orgCode, target).map(({ cn }) => cn));
  const entries: LdapEntry[] = [];
  let read = 0;
  for (const group of bound.suid === undefined || own ? listedGroups(deps, orgCode, only) : []) {
    const bare = groupEntry(application, group, { members: [], now });
    const isHit = isWithin(bare) && (asksMembers || meets(bare));
    if (!isHit || !(wantsMembers || asksMembers)) {
      entries.push(bare);
      continue;
    }
    read += 1;
    if (read % GROUPS_AT_ONCE === 0) await setImmediate();
    const others = own ? [] : group.members();
    // A large group has more members than are read, so add the requested member explicitly.
    const members =
      target && isIn.has(group.cn) ? [target, ...others.filter(({ suid }) => suid !== target.suid)] : others;
    entries.push(
      groupEntry(application, group, {
        members: members.filter((member) => isVisibleTo(db, application, member)),
        now,
      }),
    );
  }
  return entries;
}

/** Lists an organisation's groups, or only one member's groups. */
function listedGroups(deps: Deps, orgCode: string, of: memberRepo.MemberRow | undefined): Listed[] {
  const { db } = deps;
  const numberOf = unixGroupRepo.unixNumberLookup(db, orgCode);
  const gidNumber = (kind: 'role' | 'group', id: string) => String(FIRST_GID_NUMBER + numberOf(kind, id));
  const roles = roleRepo.listRoles(db, orgCode).filter(({ roleCode }) => !of || roleCode === of.roleCode);
  const groups = of
    ? groupRepo
        .listMemberGroups(db, orgCode, of.suid)
        .flatMap(({ groupId }) => groupRepo.findGroup(db, orgCode, groupId) ?? [])
    : groupRepo.listGroups(db, orgCode);
  // Built-in roles have no creation time, so use the organisation's.
  const madeAt = organisationRepo.findOrganisation(db, orgCode)?.createdAt ?? 0;
  return [
    ...roles.map(({ roleCode, name, createdAt }) => ({
      createdAt: createdAt ?? madeAt,
      cn: roleCode,
      description: name,
      gidNumber: gidNumber('role', roleCode),
      members: () => provisioningRepo.listMembersByRole(db, orgCode, roleCode, ENTRIES_MAX),
    })),
    ...groups.map(({ groupId, displayName, createdAt }) => ({
      createdAt,
      cn: displayName,
      description: displayName,
      gidNumber: gidNumber('group', groupId),
      members: () => groupRepo.listMembersOfGroup(db, orgCode, groupId, ENTRIES_MAX),
    })),
  ];
}

/** Group attributes that identify members: by distinguished name, and by Unix user name (RFC 2307 §2.4). */
const MEMBERS = ['member', 'memberuid'];

/** Finds the member that a filter identifies with `(member=…)`, which programs use to look up a member's groups. */
function memberAskedBy(
  db: Deps['db'],
  application: applicationRepo.ApplicationRow,
  filter: LdapFilter,
): memberRepo.MemberRow | undefined {
  const parts = filter.op === 'and' ? filter.filters : [filter];
  for (const part of parts) {
    const named = (part.op === 'or' ? part.filters : [part]).map((one) => memberNamedBy(db, application, one));
    const [member] = named;
    if (member && named.every((other) => other?.suid === member.suid)) return member;
  }
  return undefined;
}

function memberNamedBy(
  db: Deps['db'],
  application: applicationRepo.ApplicationRow,
  filter: LdapFilter,
): memberRepo.MemberRow | undefined {
  if (filter.op !== 'eq' || !MEMBERS.includes(filter.attribute)) return undefined;
  const isName = filter.attribute === 'member';
  const name = isName ? readName(filter.value) : [{ attribute: 'uid', value: filter.value }];
  const [person] = name ?? [];
  const member = person && memberRepo.findMemberByEmail(db, application.orgCode, person.value.toLowerCase());
  const own = member && (readName(personDnOf(application, member)) ?? []).slice(0, isName ? undefined : 1);
  return own && comparisonKeyOf(own) === comparisonKeyOf(name ?? []) ? member : undefined;
}

function namesMember(filter: LdapFilter): boolean {
  if (filter.op === 'and' || filter.op === 'or') return filter.filters.some(namesMember);
  if (filter.op === 'not') return namesMember(filter.filter);
  return 'attribute' in filter && MEMBERS.includes(filter.attribute);
}

const SCOPES: ReadonlySet<number> = new Set(Object.values(SCOPE));

export const START_TLS = '1.3.6.1.4.1.1466.20037';
export const WHO_AM_I = '1.3.6.1.4.1.4203.1.11.3';

/**
 * Supported features: `+` for all operational attributes (RFC 3673), and absolute true and false filters (RFC 4526).
 */
const FEATURES = ['1.3.6.1.4.1.4203.1.5.1', '1.3.6.1.4.1.4203.1.5.3'];

/**
 * Returns the root DSE (RFC 4512 §5.1). Anyone can read its public facts; only clients that can read the base also
 * get the base DN.
 */
const rootDse = (canStartTls: boolean, bound: BoundIdentity | undefined): LdapEntry => ({
  dn: '',
  attributes: {
    objectClass: ['top'],
    ...(bound && { namingContexts: [baseDnOf(bound.application)] }),
    vendorName: ['Orchestrate'],
    supportedLDAPVersion: ['3'],
    supportedExtension: [WHO_AM_I, ...(canStartTls ? [START_TLS] : [])],
    supportedControl: [PAGED_RESULTS],
    supportedFeatures: FEATURES,
    subschemaSubentry: [SCHEMA_DN],
  },
});

interface Found {
  entries: LdapEntry[];
  result: LdapResult;
  /** Cookie for the next page: '' after the last page, undefined if the search isn't paged. */
  cookie: string | undefined;
}

/**
 * Searches within the connection's permissions. A cookie contains the number of the last entry on its page and the
 * count of entries so far. No state is stored between pages, and deleting an entry doesn't shift others.
 * @param bound undefined for an anonymous connection, which can read only the root
 * @returns the entries with the requested attributes, and the result
 */
export async function answerSearch(
  deps: Deps,
  bound: BoundIdentity | undefined,
  { page, ...request }: SearchRequest & { page: Page | undefined },
  canStartTls: boolean,
): Promise<Found> {
  const none = (code: number, message?: string): Found => ({
    entries: [],
    result: { code, message },
    cookie: page && '',
  });
  if (!SCOPES.has(request.scope)) return none(RESULT.protocolError, 'The search scope is invalid.');
  const meets = matcherOf(request.filter);
  if (request.base === '' && request.scope === SCOPE.base) {
    const found = [rootDse(canStartTls, bound)].filter(meets);
    return { ...none(RESULT.success), entries: found.map((entry) => chosen(entry, request)) };
  }
  const base = readName(request.base);
  if (base && comparisonKeyOf(base) === SCHEMA_KEY) {
    const found = request.scope === SCOPE.one ? [] : [SUBSCHEMA].filter(meets);
    return { ...none(RESULT.success), entries: found.map((entry) => chosen(entry, request)) };
  }
  if (!bound) return none(RESULT.insufficientAccessRights, 'Bind before searching.');
  if (page?.size === 0) return none(RESULT.success);
  const [, sent, last] = COOKIE.exec(page?.cookie || '0-0') ?? [];
  if (sent === undefined) return none(RESULT.unwillingToPerform, 'The paging cookie is invalid.');
  if (!base) return none(INVALID_NAME.code, INVALID_NAME.message);
  const found = locate(deps, base);
  if (found?.application.appId !== bound.application.appId || found.application.orgCode !== bound.application.orgCode) {
    return none(RESULT.noSuchObject);
  }
  const { application } = found;
  const above = Number(last);
  const isThere = comparisonKeyOf(base);
  const isWithin = (entry: LdapEntry) => isInScope(comparisonKeyOf(readName(entry.dn) ?? []), isThere, request.scope);
  const frames = baseEntries(application, deps.clock.now());
  const groups = await groupEntries(deps, bound, found, request, isWithin);
  const people = await personEntries(deps, bound, application, { ...request, most: ENTRIES_MAX, above }, found.inner);
  if (![...frames, ...people, ...groups].some((entry) => comparisonKeyOf(readName(entry.dn) ?? []) === isThere))
    return none(RESULT.noSuchObject);
  const hits = [
    ...frames.map((entry, at) => ({ entry, number: at + 1 })),
    ...people.map((entry) => ({ entry, number: Number(entry.attributes.uidNumber) })),
    ...groups
      .map((entry) => ({ entry, number: Number(entry.attributes.gidNumber) }))
      .sort((a, b) => a.number - b.number),
  ].filter(({ entry, number }) => number > above && isWithin(entry) && meets(entry));
  const limit = request.sizeLimit === 0 ? Number.POSITIVE_INFINITY : Math.max(request.sizeLimit - Number(sent), 0);
  const end = Math.min(page?.size ?? ENTRIES_MAX, ENTRIES_MAX, limit);
  const hasMore = hits.length > end;
  const isCut = hasMore && (!page || end === limit);
  const shown = hits.slice(0, end);
  return {
    entries: shown.map(({ entry }) => chosen(entry, request)),
    result: { code: isCut ? RESULT.sizeLimitExceeded : RESULT.success },
    cookie: page && (hasMore && !isCut ? `${Number(sent) + end}-${shown.at(-1)?.number}` : ''),
  };
}

/** Matches a cookie: the count of entries sent, and the number of the last entry. */
const COOKIE = /^(\d{1,10})-(\d{1,10})$/;

const SCHEMA_KEY = comparisonKeyOf(readName(SCHEMA_DN) ?? []);

/** Compares a value with an entry's (RFC 4511 §4.10), using the same matching rules as a search. */
export async function answerCompare(
  deps: Deps,
  bound: BoundIdentity | undefined,
  { dn, attribute, value }: { dn: string; attribute: string; value: string },
): Promise<LdapResult> {
  const find = (filter: LdapFilter) =>
    answerSearch(
      deps,
      bound,
      {
        base: dn,
        scope: SCOPE.base,
        sizeLimit: 0,
        typesOnly: true,
        attributes: new Set([attribute]),
        filter,
        page: undefined,
      },
      false,
    );
  const { entries, result } = await find({ op: 'eq', attribute, value });
  if (result.code !== RESULT.success) return result;
  if (entries.length > 0) return { code: RESULT.compareTrue };
  const present = await find({ op: 'present', attribute });
  return { code: present.entries.length > 0 ? RESULT.compareFalse : RESULT.noSuchAttribute };
}

function isInScope(key: string, base: string, scope: number): boolean {
  if (key === base) return scope !== SCOPE.one;
  if (!key.startsWith(`${base},`) || scope === SCOPE.base) return false;
  return scope === SCOPE.subtree || !/",\w/.test(key.slice(base.length + 1));
}

/**
 * Returns an entry reduced to the requested attributes. `+` requests all operational attributes, `*` all other
 * attributes.
 */
function chosen({ dn, attributes }: LdapEntry, { attributes: wanted, typesOnly }: SearchRequest): LdapEntry {
  const isChosen = (name: string): boolean => {
    if (wanted.has(name)) return true;
    return isOperational(name) ? wanted.has('+') : wanted.size === 0 || wanted.has('*');
  };
  const selected = Object.entries(attributes).filter(
    ([name, values]) => values.length > 0 && isChosen(name.toLowerCase()),
  );
  return { dn, attributes: Object.fromEntries(selected.map(([name, values]) => [name, typesOnly ? [] : values])) };
}
