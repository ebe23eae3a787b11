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
import type { Deps } from '../../deps.ts';
import type { Bound } from './bind.ts';
import { FIRST_GROUP_NUMBER, groupEntry, type NamedGroup, personDnOf } from './entries.ts';
import type { LdapFilter } from './filter.ts';
import { matcherOf } from './matches.ts';
import { ENTRIES_MAX, type LdapEntry, type SearchRequest } from './message.ts';
import { keyOf, type Located, readName } from './names.ts';
import { isShown } from './person-entries.ts';

/** Groups whose members are read before others have their turn. */
const GROUPS_AT_ONCE = 20;

interface Listed extends NamedGroup {
  members: () => memberRepo.MemberRow[];
}

/**
 * The roles, and the groups beside them. Members are read only of those that are asked for and may meet the filter.
 * @param isWithin whether an entry is in the part of the tree that is asked for
 */
export async function groupEntries(
  deps: Deps,
  bound: Bound,
  { application, inner }: Located,
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
  const own = person && isShown(db, application, person) ? person : undefined;
  // A search below one group has to find that group, with anybody in it.
  const asked = own ?? memberAskedBy(db, application, filter);
  const only = own ?? (inner.length < 2 ? asked : undefined);
  const isIn = new Set(asked && listedGroups(deps, orgCode, asked).map(({ cn }) => cn));
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
    // A large group has more members than are read.
    const members = asked && isIn.has(group.cn) ? [asked, ...others.filter(({ suid }) => suid !== asked.suid)] : others;
    entries.push(
      groupEntry(application, group, { members: members.filter((member) => isShown(db, application, member)), now }),
    );
  }
  return entries;
}

/** The groups of an organisation, or those that somebody is in. */
function listedGroups(deps: Deps, orgCode: string, of: memberRepo.MemberRow | undefined): Listed[] {
  const { db } = deps;
  const numberOf = unixGroupRepo.unixNumbersOf(db, orgCode);
  const gidNumber = (kind: 'role' | 'group', id: string) => String(FIRST_GROUP_NUMBER + numberOf(kind, id));
  const roles = roleRepo.listRoles(db, orgCode).filter(({ roleCode }) => !of || roleCode === of.roleCode);
  const groups = of
    ? groupRepo
        .listGroupsOf(db, orgCode, of.suid)
        .flatMap(({ groupId }) => groupRepo.findGroup(db, orgCode, groupId) ?? [])
    : groupRepo.listGroups(db, orgCode);
  // A role as old as its organisation has no time of its own.
  const madeAt = organisationRepo.findOrganisation(db, orgCode)?.createdAt ?? 0;
  return [
    ...roles.map(({ roleCode, name, createdAt }) => ({
      createdAt: createdAt ?? madeAt,
      cn: roleCode,
      description: name,
      gidNumber: gidNumber('role', roleCode),
      members: () => provisioningRepo.listMembersOfRole(db, orgCode, roleCode, ENTRIES_MAX),
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

/** Attributes of a group that say who is in it: by distinguished name, and as Unix machines do (RFC 2307 §2.4). */
const MEMBERS = ['member', 'memberuid'];

/** Whose groups a filter asks for by `(member=…)`, as programs do that look up what somebody is in. */
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
  return own && keyOf(own) === keyOf(name ?? []) ? member : undefined;
}

function namesMember(filter: LdapFilter): boolean {
  if (filter.op === 'and' || filter.op === 'or') return filter.filters.some(namesMember);
  if (filter.op === 'not') return namesMember(filter.filter);
  return 'attribute' in filter && MEMBERS.includes(filter.attribute);
}
