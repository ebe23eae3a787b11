import { setImmediate } from 'node:timers/promises';
import { type applicationRepo, memberRepo, organisationRepo, provisioningRepo, roleRepo } from '@orchestrate/db';
import { mayUseApplication } from '../../core/sign-in/app-users.ts';
import type { Deps } from '../../deps.ts';
import type { Bound } from './bind.ts';
import { frameEntries, groupEntry, personEntry } from './entries.ts';
import type { LdapFilter } from './filter.ts';
import { matches } from './matches.ts';
import { memberConditionOf } from './member-condition.ts';
import { type LdapEntry, type LdapResult, RESULT, type SearchWish } from './message.ts';
import { locate, type NamePart, readName } from './names.ts';

/** Of one search, and of the members of a group. */
const ENTRIES_MAX = 1_000;
/** Members read before others have their turn. */
const SLICE = 2_000;
const SCOPE = { base: 0, one: 1, subtree: 2 } as const;

export const START_TLS = '1.3.6.1.4.1.1466.20037';
export const WHO_AM_I = '1.3.6.1.4.1.4203.1.11.3';

/** What the server says of itself to anybody (RFC 4512 §5.1). */
const rootDse = (canStartTls: boolean): LdapEntry => ({
  dn: '',
  attributes: {
    objectClass: ['top'],
    vendorName: ['Orchestrate'],
    supportedLDAPVersion: ['3'],
    supportedExtension: [WHO_AM_I, ...(canStartTls ? [START_TLS] : [])],
    supportedFeatures: [],
  },
});

/**
 * Finds what a connection may read. @param bound undefined for one that has not signed in, which may read the root alone
 * @returns the entries with the attributes that are asked for, and how it ends
 */
export async function answerSearch(
  deps: Deps,
  bound: Bound | undefined,
  wish: SearchWish,
  canStartTls: boolean,
): Promise<{ entries: LdapEntry[]; result: LdapResult }> {
  const none = (code: number, message?: string) => ({ entries: [], result: { code, message } });
  if (wish.base === '' && wish.scope === SCOPE.base) {
    const found = [rootDse(canStartTls)].filter((entry) => matches(wish.filter, entry));
    return { entries: found.map((entry) => chosen(entry, wish)), result: { code: RESULT.success } };
  }
  if (!bound) return none(RESULT.insufficientAccessRights, 'Bind first.');
  const base = readName(wish.base);
  if (!base) return none(RESULT.invalidDnSyntax);
  const found = locate(deps, base);
  if (found?.application.appId !== bound.application.appId || found.application.orgCode !== bound.application.orgCode) {
    return none(RESULT.noSuchObject);
  }
  const { application } = found;
  const isThere = keyOf(base);
  const isWithin = (entry: LdapEntry) => isInScope(keyOf(readName(entry.dn) ?? []), isThere, wish.scope);
  const everything = [
    ...frameEntries(application),
    ...groupEntries(deps, bound, application, wish),
    ...(await personEntries(deps, bound, application, wish, found.inner)),
  ];
  if (!everything.some((entry) => keyOf(readName(entry.dn) ?? []) === isThere)) return none(RESULT.noSuchObject);
  const hits = everything.filter((entry) => isWithin(entry) && matches(wish.filter, entry));
  const limit = Math.min(wish.sizeLimit || ENTRIES_MAX, ENTRIES_MAX);
  return {
    entries: hits.slice(0, limit).map((entry) => chosen(entry, wish)),
    result: { code: hits.length > limit ? RESULT.sizeLimitExceeded : RESULT.success },
  };
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

/** The roles, with their members where these are asked for. */
function groupEntries(
  { db }: Deps,
  bound: Bound,
  application: applicationRepo.ApplicationRow,
  { filter, attributes }: SearchWish,
): LdapEntry[] {
  const { orgCode } = application;
  const wantsMembers = attributes.length === 0 || attributes.includes('*') || attributes.includes('member');
  const readsMembers = wantsMembers || namesMember(filter);
  const own = bound.suid === undefined ? undefined : memberRepo.findMember(db, orgCode, bound.suid);
  return roleRepo
    .listRoles(db, orgCode)
    .filter(({ roleCode }) => bound.suid === undefined || roleCode === own?.roleCode)
    .map((role) => {
      const listed = readsMembers ? provisioningRepo.listMembersOfRole(db, orgCode, role.roleCode, ENTRIES_MAX) : [];
      const shown = own ? [own] : listed.filter((member) => isShown(application, member));
      return groupEntry(application, role, shown);
    });
}

function namesMember(filter: LdapFilter): boolean {
  if (filter.op === 'and' || filter.op === 'or') return filter.filters.some(namesMember);
  if (filter.op === 'not') return namesMember(filter.filter);
  return 'attribute' in filter && filter.attribute === 'member';
}

/** Only those who could sign in. */
const isShown = (application: applicationRepo.ApplicationRow, member: memberRepo.MemberRow): boolean =>
  member.accountStatus === 'active' && mayUseApplication(application, member);

/** Those who may meet the filter, one more than a search answers at most. */
async function personEntries(
  { db }: Deps,
  bound: Bound,
  application: applicationRepo.ApplicationRow,
  { filter, scope }: SearchWish,
  inner: readonly NamePart[],
): Promise<LdapEntry[]> {
  const organisation = organisationRepo.findOrganisation(db, application.orgCode);
  const [first, second] = inner;
  const branch = (second ?? first)?.value.toLowerCase();
  const isAbove = inner.length === 0 ? scope === SCOPE.subtree : inner.length === 1 && scope !== SCOPE.base;
  const isPerson = inner.length === 2;
  if (!organisation || (branch !== undefined && branch !== 'people') || !(isAbove || isPerson)) return [];
  const condition: provisioningRepo.MemberCondition = {
    op: 'and',
    conditions: [
      isPerson ? { op: 'eq', column: 'email', value: first?.value ?? '' } : memberConditionOf(filter),
      bound.suid === undefined
        ? { op: 'is', value: true }
        : { op: 'eq', column: 'id', value: bound.suid, isExact: true },
    ],
  };
  const find = provisioningRepo.memberFinder(db, { condition });
  const { after, upTo } = provisioningRepo.idsOfMembers(db, organisation);
  const entries: LdapEntry[] = [];
  for (let start = after; start < upTo && entries.length <= ENTRIES_MAX; start += SLICE) {
    if (start > after) await setImmediate();
    const ids = find({ after: start, upTo: Math.min(start + SLICE, upTo) }).map(({ id }) => id);
    for (const member of provisioningRepo.listMembersByIds(db, organisation, ids)) {
      if (!isShown(application, member)) continue;
      const entry = personEntry(application, member);
      if (isPerson || matches(filter, entry)) entries.push(entry);
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
