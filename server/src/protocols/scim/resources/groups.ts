import { setImmediate } from 'node:timers/promises';
import { memberRepo, provisioningRepo, roleRepo, type Tx } from '@orchestrate/db';
import { LIMITS } from '@orchestrate/shared';
import { memberObject } from '../../../core/audit/audit-objects.ts';
import { record } from '../../../core/audit/record.ts';
import { requireAnotherSuperAdmin } from '../../../core/members/authority.ts';
import { emptyRole } from '../../../core/members/empty-role.ts';
import { codeOfName, isSameName } from '../../../core/members/role-names.ts';
import { TOPIC } from '../../../platform/live/bus.ts';
import { attributeNamed, COMMON_ATTRIBUTES, GROUP_ATTRIBUTES } from '../attributes.ts';
import type { JsonObject } from '../json.ts';
import { parseFilter } from '../queries/filter.ts';
import { isDescending, listAnswer, readPaging, readSortBy, unsortable } from '../queries/list-answer.ts';
import { matchesFilter, valuesAt } from '../queries/matches-filter.ts';
import { isAskedFor, project, readProjection } from '../queries/projection.ts';
import { badRequest, notFound, ScimError } from '../scim-error.ts';
import type { ScimAnswer, ScimRequest, Scope } from '../scope.ts';
import { requireMemberWithin, requireRoleWithin } from './ceiling.ts';
import { groupResource, MEMBERS_MAX } from './group-resource.ts';
import { readOperations } from './patch.ts';
import { type GroupStep, groupStepsOf, readGroup } from './read-group.ts';
import { answerWith, requireVersion } from './version.ts';

const IMMEDIATE = { behavior: 'immediate' } as const;

/** How many members get another role in one transaction, while everybody else waits. */
const AT_ONCE = 20;

/** Groups (RFC 7644 §3): the roles and the people who have them. */
export function answerGroups(
  scope: Scope,
  id: string | undefined,
  request: ScimRequest,
): ScimAnswer | Promise<ScimAnswer> | undefined {
  const { method } = request;
  if (id === undefined) {
    if (method === 'GET') return listGroups(scope, request.query);
    return method === 'POST' ? createGroup(scope, request) : undefined;
  }
  if (method === 'GET') return getGroup(scope, id, request);
  if (method === 'PUT') {
    const { displayName, externalId, members } = readGroup(request.body);
    return change(scope, id, request, [
      { do: 'name', displayName },
      { do: 'externalId', externalId },
      // The members of a group are kept if the request does not mention them.
      ...(members ? [{ do: 'replace' as const, members }] : []),
    ]);
  }
  if (method === 'PATCH') return change(scope, id, request, groupStepsOf(readOperations(request.body ?? {})));
  return method === 'DELETE' ? deleteGroup(scope, id, request) : undefined;
}

/** A page of groups, filtered. Also for `.search`. */
export async function listGroups(scope: Scope, query: URLSearchParams): Promise<ScimAnswer> {
  const { db } = scope.deps;
  const paging = readPaging(query);
  const projection = readProjection(query);
  const filterText = query.get('filter');
  const filter = filterText ? parseFilter(filterText) : undefined;
  const hasMembers = isAskedFor(projection, 'members') || filterText?.toLowerCase().includes('members') === true;
  const all: JsonObject[] = [];
  for (const role of roleRepo.listRoles(db, scope.orgCode)) {
    // Each may have ten thousand members.
    if (hasMembers) await setImmediate();
    const { resource } = groupResource(scope, db, role, hasMembers);
    if (!filter || matchesFilter(resource, filter)) all.push(resource);
  }
  const sorted = sort(all, query);
  const page = sorted.slice(paging.offset, paging.offset + paging.count);
  return listAnswer(
    page.map((group) => project(group, projection)),
    all.length,
    paging,
  );
}

function sort(groups: JsonObject[], query: URLSearchParams): JsonObject[] {
  const sortBy = query.get('sortBy');
  const isBackwards = isDescending(query);
  if (!sortBy) return groups;
  const path = readSortBy(sortBy);
  const [name = '', part] = path.split('.');
  const known = attributeNamed([...COMMON_ATTRIBUTES, ...GROUP_ATTRIBUTES], name);
  if (!known || (part !== undefined && !attributeNamed(known.subAttributes ?? [], part))) throw unsortable(path);
  const key = (group: JsonObject) => String(valuesAt(group, path)[0] ?? '').toLowerCase();
  const sorted = groups.toSorted((a, b) => key(a).localeCompare(key(b)));
  return isBackwards ? sorted.reverse() : sorted;
}

function requireRole(tx: Tx, { orgCode }: Scope, id: string): roleRepo.RoleRow {
  const role = roleRepo.findRole(tx, orgCode, id);
  if (!role) throw notFound(id);
  return role;
}

function getGroup(scope: Scope, id: string, request: ScimRequest): ScimAnswer {
  const { db } = scope.deps;
  const projection = readProjection(request.query);
  const found = groupResource(scope, db, requireRole(db, scope, id), true);
  return answerWith({ ...found, resource: project(found.resource, projection) }, request);
}

/** A new role gets the permissions that everybody has, so that nobody loses any by being put into a group. */
async function createGroup(scope: Scope, { body, query }: ScimRequest): Promise<ScimAnswer> {
  const { orgCode, deps } = scope;
  const { displayName: name, externalId, members = [] } = readGroup(body);
  const projection = readProjection(query);
  if (members.length > AT_ONCE) await requireAddable(scope, undefined, members);
  const { role, moved } = deps.db.transaction((tx) => {
    const known = roleRepo.listRoles(tx, orgCode);
    requireFreeName(known, name);
    if (known.filter(({ type }) => type === 'custom').length >= LIMITS.customRoles) {
      const most = `An organisation has at most ${LIMITS.customRoles} groups of its own`;
      throw new ScimError(409, `${most}, beside the system roles: delete one of them first.`);
    }
    requireRoleWithin(scope, tx, 'USER');
    const codes = known.map((role) => role.roleCode);
    const permissions = roleRepo.findRole(tx, orgCode, 'USER')?.permissions ?? [];
    const role: roleRepo.RoleRow = {
      orgCode,
      roleCode: codeOfName(name, codes),
      name,
      type: 'custom',
      permissions,
      externalId,
      createdAt: deps.clock.now(),
      changedAt: null,
    };
    roleRepo.insertRole(tx, role);
    const after = { name, permissions, externalId };
    record(deps, tx, scope.actor, { action: 'role.created', object: roleObject(role), after });
    return { role, moved: addMembers(scope, tx, role.roleCode, members.slice(0, AT_ONCE)) };
  }, IMMEDIATE);
  announce(scope, moved);
  await takeInPortions(scope, role.roleCode, portionsOf([{ do: 'add', members: members.slice(AT_ONCE) }]));
  const made = groupResource(scope, deps.db, role, true);
  return { status: 201, ...made, body: project(made.resource, projection), about: name };
}

function requireFreeName(known: readonly roleRepo.RoleRow[], name: string): void {
  if (!known.some((role) => isSameName(role.name, name))) return;
  throw new ScimError(409, 'Another group has this displayName.', 'uniqueness');
}

/**
 * All of the steps in one transaction, as RFC 7644 §3.5.2 requires, unless so many members change that everybody would
 * have to wait: then all of them are checked first, and written in portions.
 */
async function change(scope: Scope, id: string, request: ScimRequest, said: readonly GroupStep[]): Promise<ScimAnswer> {
  const { db } = scope.deps;
  const projection = readProjection(request.query);
  const steps = withoutReplacing(scope, db, requireRole(db, scope, id), said);
  const named = steps.flatMap((step) => ('members' in step ? step.members : []));
  const isLong = named.length > AT_ONCE;
  if (isLong) {
    const added = steps.flatMap((step) => (step.do === 'add' ? step.members : []));
    await requireAddable(scope, id, added);
  }
  const [first = [], ...rest] = isLong ? portionsOf(steps) : [steps];
  const moved = db.transaction((tx) => {
    const role = requireRole(tx, scope, id);
    if (request.ifMatch !== undefined) requireVersion(request, groupResource(scope, tx, role, true).version);
    return first.flatMap((step) => take(scope, tx, requireRole(tx, scope, id), step));
  }, IMMEDIATE);
  announce(scope, moved);
  await takeInPortions(scope, id, rest);
  const now = requireRole(db, scope, id);
  const changed = groupResource(scope, db, now, isAskedFor(projection, 'members'));
  return { status: 200, ...changed, body: project(changed.resource, projection), about: now.name };
}

/** Steps that change at most `AT_ONCE` members, in order. */
function portionsOf(steps: readonly Step[]): Step[][] {
  return steps.flatMap((step): Step[][] => {
    if (!('members' in step)) return [[step]];
    const portions: Step[][] = [];
    for (let at = 0; at < step.members.length; at += AT_ONCE) {
      portions.push([{ ...step, members: step.members.slice(at, at + AT_ONCE) }]);
    }
    return portions;
  });
}

/** Each portion in a transaction of its own; others get their turn before it. */
async function takeInPortions(scope: Scope, id: string, portions: readonly Step[][]): Promise<void> {
  for (const portion of portions) {
    await setImmediate();
    const moved = scope.deps.db.transaction(
      (tx) => portion.flatMap((step) => take(scope, tx, requireRole(tx, scope, id), step)),
      IMMEDIATE,
    );
    announce(scope, moved);
  }
}

/**
 * If one of many members would be refused, refuses before any of them is written.
 * @param id undefined for a group that is not there yet
 * @throws ScimError invalidValue unknown; 409 in another group; 403 above the ceiling
 */
async function requireAddable(scope: Scope, id: string | undefined, suids: readonly string[]): Promise<void> {
  const { db } = scope.deps;
  for (const [index, suid] of suids.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const member = requireUser(scope, db, suid);
    if (member.roleCode === id) continue;
    requireMemberWithin(scope, db, member);
    if (id !== undefined) requireRoleWithin(scope, db, id);
    requireInNoGroup(scope, db, member);
  }
}

function requireUser({ orgCode }: Scope, tx: Tx, suid: string): memberRepo.MemberRow {
  const member = memberRepo.findMember(tx, orgCode, suid);
  if (!member || member.accountStatus === 'deleted') throw badRequest('invalidValue', `There is no user ${suid}.`);
  return member;
}

type Step = Exclude<GroupStep, { members: readonly string[] }> | { do: 'add' | 'remove'; members: readonly string[] };

/** The steps, with each replacement of the members turned into additions and removals. @throws ScimError tooMany */
function withoutReplacing(
  { orgCode }: Scope,
  tx: Tx,
  { roleCode }: roleRepo.RoleRow,
  said: readonly GroupStep[],
): Step[] {
  const addedBefore: string[] = [];
  return said.flatMap((step): Step[] => {
    if (!('members' in step)) return [step];
    const { do: what, members } = step;
    const earlier = [...addedBefore];
    if (what !== 'remove') addedBefore.push(...members);
    if (what !== 'replace') return [{ do: what, members }];
    // In this order: the last Super Admin may be replaced by another.
    const added = { do: 'add' as const, members };
    // Nobody leaves this group except for another one.
    if (roleCode === 'USER') return [added];
    const present = provisioningRepo.listMembersOfRole(tx, orgCode, roleCode, MEMBERS_MAX + 1).map(({ suid }) => suid);
    if (present.length > MEMBERS_MAX) {
      throw badRequest('tooMany', `This group has more than ${MEMBERS_MAX} members: add and remove them one by one.`);
    }
    const staying = new Set(members);
    return [added, { do: 'remove', members: [...present, ...earlier].filter((suid) => !staying.has(suid)) }];
  });
}

/** @returns who has another role now */
function take(scope: Scope, tx: Tx, role: roleRepo.RoleRow, step: Step): string[] {
  const { orgCode } = scope;
  const { roleCode, name } = role;
  const now = scope.deps.clock.now();
  switch (step.do) {
    case 'name': {
      if (step.displayName === name) return [];
      if (role.type !== 'custom') throw badRequest('mutability', 'A system role cannot be renamed.');
      requireRoleWithin(scope, tx, roleCode);
      requireFreeName(
        roleRepo.listRoles(tx, orgCode).filter((other) => other.roleCode !== roleCode),
        step.displayName,
      );
      provisioningRepo.nameRole(tx, orgCode, { ...role, name: step.displayName }, now);
      recordEdit(scope, tx, role, { ...role, name: step.displayName });
      return [];
    }
    case 'externalId':
      if (step.externalId === role.externalId) return [];
      requireRoleWithin(scope, tx, roleCode);
      provisioningRepo.nameRole(tx, orgCode, { ...role, externalId: step.externalId }, now);
      recordEdit(scope, tx, role, { ...role, externalId: step.externalId });
      return [];
    case 'add':
      return addMembers(scope, tx, roleCode, step.members);
    case 'remove':
      return removeMembers(scope, tx, roleCode, step.members);
  }
}

function addMembers(scope: Scope, tx: Tx, roleCode: string, suids: readonly string[]): string[] {
  return suids.flatMap((suid) => {
    const member = requireUser(scope, tx, suid);
    if (member.roleCode === roleCode) return [];
    requireMemberWithin(scope, tx, member);
    requireRoleWithin(scope, tx, roleCode);
    requireInNoGroup(scope, tx, member);
    return give(scope, tx, member, roleCode);
  });
}

/** Nobody is taken out of one group by being put into another (decision 120). @throws ScimError 409 */
function requireInNoGroup({ orgCode }: Scope, tx: Tx, { roleCode, suid }: memberRepo.MemberRow): void {
  if (roleCode === 'USER') return;
  const name = roleRepo.findRole(tx, orgCode, roleCode)?.name ?? roleCode;
  throw new ScimError(409, `User ${suid} is in the group ${name}, and can only be in one: remove them from it first.`);
}

/** Anyone who leaves a group becomes an Org User; nobody leaves the Org Users' group except for another one. */
function removeMembers(scope: Scope, tx: Tx, roleCode: string, suids: readonly string[]): string[] {
  return suids.flatMap((suid) => {
    const member = memberRepo.findMember(tx, scope.orgCode, suid);
    if (member?.roleCode !== roleCode || roleCode === 'USER') return [];
    requireMemberWithin(scope, tx, member);
    requireRoleWithin(scope, tx, 'USER');
    return give(scope, tx, member, 'USER');
  });
}

function give(scope: Scope, tx: Tx, member: memberRepo.MemberRow, roleCode: string): string[] {
  const { orgCode, deps, actor } = scope;
  requireAnotherSuperAdmin(tx, member);
  const now = deps.clock.now();
  provisioningRepo.setRole(tx, orgCode, member.suid, roleCode, now);
  roleRepo.touchRoles(tx, orgCode, [member.roleCode, roleCode], now);
  const facts = { before: { roleCode: member.roleCode }, after: { roleCode } };
  record(deps, tx, actor, { action: 'member.updated', object: memberObject(member), ...facts });
  return [member.suid];
}

function announce({ deps }: Scope, moved: readonly string[]): void {
  for (const suid of new Set(moved)) deps.bus.changed(TOPIC.member(suid));
}

async function deleteGroup(scope: Scope, id: string, request: ScimRequest): Promise<ScimAnswer> {
  const { deps, orgCode } = scope;
  const found = requireDeletable(scope, deps.db, id);
  if (request.ifMatch !== undefined) requireVersion(request, groupResource(scope, deps.db, found, true).version);
  const moved = await emptyRole(deps, orgCode, { roleCode: id, heir: 'USER' });
  const about = deps.db.transaction((tx) => {
    const role = requireDeletable(scope, tx, id);
    const { name, permissions, externalId } = role;
    const users = moved + roleRepo.deleteRole(tx, orgCode, id, 'USER');
    if (users > 0) roleRepo.touchRoles(tx, orgCode, ['USER'], deps.clock.now());
    const before = { name, permissions, externalId, users };
    record(deps, tx, scope.actor, { action: 'role.deleted', object: roleObject(role), before });
    return role.name;
  }, IMMEDIATE);
  return { status: 204, about };
}

function requireDeletable(scope: Scope, tx: Tx, id: string): roleRepo.RoleRow {
  const role = requireRole(tx, scope, id);
  if (role.type !== 'custom') throw new ScimError(403, 'A system role cannot be deleted.');
  requireRoleWithin(scope, tx, id);
  return role;
}

const roleObject = ({ roleCode, name }: Pick<roleRepo.RoleRow, 'roleCode' | 'name'>) =>
  ({ type: 'role', id: roleCode, name }) as const;

function recordEdit({ deps, actor }: Scope, tx: Tx, before: roleRepo.RoleRow, after: roleRepo.RoleRow): void {
  const factsOf = ({ name, externalId }: roleRepo.RoleRow) => ({ name, externalId });
  const facts = { before: factsOf(before), after: factsOf(after) };
  record(deps, tx, actor, { action: 'role.updated', object: roleObject(after), ...facts });
}
