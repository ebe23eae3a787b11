import { setImmediate } from 'node:timers/promises';
import { groupRepo, memberRepo, roleRepo, type Tx } from '@orchestrate/db';
import { COMMON_ATTRIBUTES, exactPathsOf, findAttribute, GROUP_ATTRIBUTES } from '../attributes.ts';
import type { JsonObject } from '../json.ts';
import { type Filter, invalid, parseFilter } from '../queries/filter.ts';
import { isDescending, listResponse, readPaging, readSortBy, unsortableError } from '../queries/list-answer.ts';
import { matchesFilter, valuesAt } from '../queries/matches-filter.ts';
import { isRequested, project, readProjection } from '../queries/projection.ts';
import { notFound } from '../scim-error.ts';
import type { ScimRequest, ScimResponse, Scope } from '../scope.ts';
import { groupResource, roleResource } from './group-resource.ts';
import { changeGroup, createGroup, deleteGroup } from './own-groups.ts';
import { readOperations } from './patch-request.ts';
import { type GroupStep, groupStepsOf, readGroup } from './read-group.ts';
import { changeRole, refuseToDelete } from './role-groups.ts';
import { resourceResponse, type Versioned } from './version.ts';

/**
 * Handles requests for groups (RFC 7644 §3), which are the roles with their members and the custom groups (decision
 * 120).
 */
export function handleGroups(
  scope: Scope,
  id: string | undefined,
  request: ScimRequest,
): ScimResponse | Promise<ScimResponse> | undefined {
  const { method } = request;
  if (id === undefined) {
    if (method === 'GET') return searchGroups(scope, request.query);
    return method === 'POST' ? createGroup(scope, request) : undefined;
  }
  if (method === 'GET') return getGroup(scope, id, request);
  if (method === 'PUT') {
    const { displayName, externalId, members } = readGroup(request.body);
    return change(scope, id, request, [
      { do: 'name', displayName },
      { do: 'externalId', externalId },
      // Keeps the group's members if the request omits them.
      ...(members ? [{ do: 'replace' as const, members }] : []),
    ]);
  }
  if (method === 'PATCH') return change(scope, id, request, groupStepsOf(readOperations(request.body ?? {}), id));
  if (method !== 'DELETE') return undefined;
  const role = roleRepo.findRole(scope.deps.db, scope.orgCode, id);
  return role ? refuseToDelete(role) : deleteGroup(scope, id, request);
}

function change(scope: Scope, id: string, request: ScimRequest, steps: readonly GroupStep[]): Promise<ScimResponse> {
  const isRole = roleRepo.findRole(scope.deps.db, scope.orgCode, id) !== undefined;
  return isRole ? changeRole(scope, id, request, steps) : changeGroup(scope, id, request, steps);
}

type Group = { role: roleRepo.RoleRow } | { group: groupRepo.GroupRow };

const resourceOf = (scope: Scope, tx: Tx, found: Group, hasMembers: boolean): Versioned =>
  'role' in found ? roleResource(scope, tx, found.role, hasMembers) : groupResource(scope, tx, found.group, hasMembers);

function getGroup(scope: Scope, id: string, request: ScimRequest): ScimResponse {
  const { orgCode, deps } = scope;
  const projection = readProjection(request.query);
  const role = roleRepo.findRole(deps.db, orgCode, id);
  const group = role ? undefined : groupRepo.findGroup(deps.db, orgCode, id);
  const known = role ? { role } : group && { group };
  if (!known) throw notFound(id);
  const found = resourceOf(scope, deps.db, known, role !== undefined || isRequested(projection, 'members'));
  return resourceResponse({ ...found, resource: project(found.resource, projection) }, request);
}

/** Paths compared case-sensitively: IDs and URLs. */
const EXACT = exactPathsOf([...COMMON_ATTRIBUTES, ...GROUP_ATTRIBUTES]);

/** How many groups to read before serving other requests. */
const SLICE = 200;

/** Lists groups only, including for `.search`. @throws ScimError invalidFilter for an attribute groups don't have */
export function searchGroups(scope: Scope, query: URLSearchParams): Promise<ScimResponse> {
  const filter = query.get('filter');
  const unknown = filter ? pathsIn(parseFilter(filter)).find((path) => !isKnown(path)) : undefined;
  if (unknown !== undefined) throw invalid(`groups cannot be filtered by ${unknown}`);
  return listGroups(scope, query);
}

/**
 * Lists a page of filtered groups: roles first, then custom groups, both sorted by name. Unknown attributes are
 * treated as unassigned because the query may be part of a root search (RFC 7644 §3.4.2.1).
 */
export async function listGroups(scope: Scope, query: URLSearchParams): Promise<ScimResponse> {
  const { db } = scope.deps;
  const paging = readPaging(query);
  const projection = readProjection(query);
  const filterText = query.get('filter');
  const parts = filterText ? partsOf(parseFilter(filterText)) : [];
  const { candidates, rest } = candidatesFor(scope, parts);
  // Reads members only for groups that match the rest of the filter, since a group can have 10,000 members.
  const [deep, flat] = [rest.filter(namesMembers), rest.filter((part) => !namesMembers(part))];
  const order = orderOf(query);
  const isDeep = order?.path.startsWith('members') ?? false;
  const all: { found: Group; resource: JsonObject }[] = [];
  for (const [index, found] of candidates.entries()) {
    if (index % SLICE === SLICE - 1) await setImmediate();
    const { resource } = resourceOf(scope, db, found, isDeep);
    if (!flat.every((part) => matchesFilter(resource, part, { exact: EXACT }))) continue;
    if (deep.length > 0) {
      await setImmediate();
      const whole = resourceOf(scope, db, found, true).resource;
      if (!deep.every((part) => matchesFilter(whole, part, { exact: EXACT }))) continue;
    }
    all.push({ found, resource });
  }
  const page = sorted(all, order).slice(paging.offset, paging.offset + paging.count);
  const hasMembers = isRequested(projection, 'members');
  const shown: JsonObject[] = [];
  for (const { found } of page) {
    if (hasMembers) await setImmediate();
    shown.push(project(resourceOf(scope, db, found, hasMembers).resource, projection));
  }
  return listResponse(shown, all.length, paging);
}

/** Returns the operands of a conjunction. */
const partsOf = (filter: Filter): readonly Filter[] =>
  filter.op === 'and' ? filter.filters.flatMap(partsOf) : [filter];

/** Returns the full path of every attribute that a filter compares. */
function pathsIn(filter: Filter): string[] {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(pathsIn);
    case 'not':
      return pathsIn(filter.filter);
    case 'in':
      return [filter.path, ...pathsIn(filter.filter).map((part) => `${filter.path}.${part}`)];
    default:
      return [filter.path];
  }
}

function isKnown(path: string): boolean {
  const [name = '', part] = path.split('.');
  const known = findAttribute([...COMMON_ATTRIBUTES, ...GROUP_ATTRIBUTES], name);
  return known !== undefined && (part === undefined || findAttribute(known.subAttributes ?? [], part) !== undefined);
}

const namesMembers = (filter: Filter): boolean => pathsIn(filter).some((path) => path.split('.')[0] === 'members');

/** Returns the member ID in `members.value eq "…"`. */
function memberNamedBy(filter: Filter): string | undefined {
  if (filter.op === 'in' && filter.path === 'members') {
    const { filter: inner } = filter;
    return inner.op === 'eq' && inner.path === 'value' ? String(inner.value) : undefined;
  }
  const isMember = filter.op === 'eq' && (filter.path === 'members' || filter.path === 'members.value');
  return isMember ? String(filter.value) : undefined;
}

/**
 * Returns groups that may match a filter, using indexes if possible, along with the conditions that still have to be
 * checked.
 */
function candidatesFor(scope: Scope, parts: readonly Filter[]): { candidates: Group[]; rest: readonly Filter[] } {
  const { orgCode, deps } = scope;
  const { db } = deps;
  const roles = roleRepo.listRoles(db, orgCode);
  const memberFilter = parts.find((part) => memberNamedBy(part) !== undefined);
  const suid = memberFilter && memberNamedBy(memberFilter);
  if (suid === undefined) {
    const candidates = [
      ...roles.map((role) => ({ role })),
      ...groupsFor(db, orgCode, parts).map((group) => ({ group })),
    ];
    return { candidates, rest: parts };
  }
  const rest = parts.filter((part) => part !== memberFilter);
  const member = memberRepo.findMember(db, orgCode, suid);
  if (!member || member.accountStatus === 'deleted') return { candidates: [], rest };
  const own = groupRepo
    .listMemberGroups(db, orgCode, suid)
    .flatMap(({ groupId }) => groupRepo.findGroup(db, orgCode, groupId) ?? []);
  const candidates = [
    ...roles.filter(({ roleCode }) => roleCode === member.roleCode).map((role) => ({ role })),
    ...own.map((group) => ({ group })),
  ];
  return { candidates, rest };
}

function groupsFor(tx: Tx, orgCode: string, parts: readonly Filter[]): groupRepo.GroupRow[] {
  const one = (group: groupRepo.GroupRow | undefined) => (group ? [group] : []);
  for (const part of parts) {
    if (part.op !== 'eq' || typeof part.value !== 'string') continue;
    if (part.path === 'id') return one(groupRepo.findGroup(tx, orgCode, part.value));
    if (part.path === 'displayname') return one(groupRepo.findGroupByName(tx, orgCode, part.value));
    if (part.path === 'externalid') return groupRepo.listGroupsByExternalId(tx, orgCode, part.value);
  }
  return groupRepo.listGroups(tx, orgCode);
}

/**
 * Parses the sort order, or returns undefined if there is none. @throws ScimError invalidPath for an attribute groups
 * don't have
 */
function orderOf(query: URLSearchParams): { path: string; isBackwards: boolean } | undefined {
  const sortBy = query.get('sortBy');
  const isBackwards = isDescending(query);
  if (!sortBy) return undefined;
  const path = readSortBy(sortBy);
  if (!isKnown(path)) throw unsortableError(path);
  return { path, isBackwards };
}

function sorted<Found extends { resource: JsonObject }>(all: Found[], order: ReturnType<typeof orderOf>): Found[] {
  if (!order) return all;
  const keyed = all.map((one) => ({
    one,
    key: String(valuesAt(one.resource, order.path)[0] ?? '').toLowerCase(),
  }));
  // RFC 7644 §3.4.2.3: unassigned values come last in ascending order.
  keyed.sort((a, b) => Number(a.key === '') - Number(b.key === '') || a.key.localeCompare(b.key));
  if (order.isBackwards) keyed.reverse();
  return keyed.map(({ one }) => one);
}
