import {
  groupRepo,
  memberCountRepo,
  memberFilterRepo,
  memberRepo,
  type memberSearchRepo,
  provisioningRepo,
  roleRepo,
  type Tx,
} from '@orchestrate/db';
import { composed, LIMITS } from '@orchestrate/shared';
import { hasAddress } from '#core/members/addresses.ts';
import { changeAccountStatus, publishStatusChange } from '#core/members/change-account-status.ts';
import { normaliseUserName } from '#core/sign-in/find-member.ts';
import { USER_SCHEMA } from '../attributes.ts';
import { type Extension, extensionsOf } from '../extensions.ts';
import { hasSchema, isObject, type JsonObject } from '../json.ts';
import { comparisonsIn, type Filter, parseFilter } from '../queries/filter.ts';
import { type FoundPage, findInSlices, listInSlices, searchInSlices } from '../queries/find-in-slices.ts';
import { isDescending, listAnswer, type Paging, readPaging, readSortBy } from '../queries/list-answer.ts';
import { memberConditionOf, sortColumnOf } from '../queries/member-condition.ts';
import { project, readProjection } from '../queries/projection.ts';
import { badRequest, notFound } from '../scim-error.ts';
import type { ScimAnswer, ScimRequest, Scope } from '../scope.ts';
import { requireMemberWithin } from './maximum-role.ts';
import { readOperations } from './patch-request.ts';
import { patchUser } from './patch-user.ts';
import { readUser, type UserInput } from './read-user.ts';
import { userNameOf, userResource } from './user-resource.ts';
import { answerWith, requireVersion, type Versioned } from './version.ts';
import { changeUser, createMember } from './write-user.ts';

type MemberRow = memberRepo.MemberRow;

/** Answers requests for users (RFC 7644 §3), the members who have not been deleted. */
export function answerUsers(
  scope: Scope,
  id: string | undefined,
  request: ScimRequest,
): ScimAnswer | Promise<ScimAnswer> | undefined {
  const { method } = request;
  if (id === undefined) {
    if (method === 'GET') return listUsers(scope, request.query);
    return method === 'POST' ? createUser(scope, request) : undefined;
  }
  if (method === 'GET') return getUser(scope, id, request);
  if (method === 'PUT') return replaceUser(scope, id, request);
  if (method === 'PATCH') return patch(scope, id, request);
  return method === 'DELETE' ? deleteUser(scope, id, request) : undefined;
}

/** Lists a page of filtered users, also for `.search`. @throws ScimError as `findInSlices`, `perOrganisationQueue` */
export async function listUsers(scope: Scope, query: URLSearchParams): Promise<ScimAnswer> {
  const { deps, orgCode } = scope;
  const paging = readPaging(query);
  const extensions = extensionsOf(deps.db, orgCode);
  const projection = readProjection(query, extensions);
  const { rows, total } = await find(scope, query, { paging, extensions });
  const codes = new Set(rows.map(({ roleCode }) => roleCode));
  const roles = new Map([...codes].map((code) => [code, roleRepo.findRole(deps.db, orgCode, code)]));
  const groups = groupRepo.groupsByMember(
    deps.db,
    orgCode,
    rows.map(({ suid }) => suid),
  );
  const users = rows.map((row) =>
    userResource(scope, row, { role: roles.get(row.roleCode), groups: groups.get(row.suid) ?? [], extensions }),
  );
  return listAnswer(
    users.map(({ resource }) => project(resource, projection)),
    total,
    paging,
    projection ? undefined : users.map(({ written }) => written),
  );
}

/** Offset beyond which pages are counted from the start, and therefore in slices. */
const NEAR = 5_000;

interface Wish {
  paging: Paging;
  extensions: readonly Extension[];
}

function find(scope: Scope, query: URLSearchParams, { paging, extensions }: Wish): Promise<FoundPage> | FoundPage {
  const { deps, orgCode, organisation } = scope;
  const { db } = deps;
  const filterText = query.get('filter');
  const sortBy = query.get('sortBy');
  const filter = filterText ? parseFilter(filterText) : undefined;
  const orderBy = sortBy ? sortColumnOf(readSortBy(sortBy), extensions) : undefined;
  if (!orderBy && !isDescending(query)) {
    if (!filter) {
      const total = countPresent(db, orgCode);
      if (paging.offset > NEAR) return scope.perOrganisationQueue(orgCode, () => listInSlices(scope, paging, total));
      return { rows: memberFilterRepo.listPresentMembers(db, organisation, paging), total };
    }
    const known = findExactly(db, orgCode, filter);
    if (known) return { rows: known.slice(paging.offset, paging.offset + paging.count), total: known.length };
    const search = searchOf(db, orgCode, filter);
    if (search) return searchInSlices(scope, search, paging);
  }
  const condition = filter && memberConditionOf(filter, { extensions, base: scope.base });
  const comparisons = filter ? comparisonsIn(filter) : 0;
  const wish = { ...paging, condition, comparisons, orderBy, isDescending: isDescending(query) };
  return scope.perOrganisationQueue(orgCode, () => findInSlices(scope, wish));
}

const countPresent = (tx: Tx, orgCode: string): number =>
  memberCountRepo
    .listMemberCounts(tx, orgCode)
    .reduce((total, { accountStatus, members }) => (accountStatus === 'deleted' ? total : total + members), 0);

/** Answers by an index the query that every directory makes before it creates a user. */
function findExactly(tx: Tx, orgCode: string, filter: Filter): MemberRow[] | undefined {
  if (filter.op !== 'eq' || typeof filter.value !== 'string') return undefined;
  const { value } = filter;
  const one = (found: MemberRow | undefined) => (found && found.accountStatus !== 'deleted' ? [found] : []);
  switch (filter.path) {
    case 'id':
      return one(memberRepo.findMember(tx, orgCode, value));
    case 'username':
      return one(provisioningRepo.findMemberByUserName(tx, orgCode, normaliseUserName(value)));
    case 'externalid':
      return provisioningRepo.listMembersByExternalId(tx, orgCode, value);
    case 'emails':
    case 'emails.value':
      if (provisioningRepo.hasOtherAddresses(tx, orgCode)) return undefined;
      return one(memberRepo.findMemberByEmail(tx, orgCode, value.toLowerCase())).filter(hasAddress);
    default:
      return undefined;
  }
}

/** Maximum length of an indexed search text, in characters: each trigram is looked up. */
const SEARCHED_MAX = 60;

const SEARCHED: Record<string, memberSearchRepo.SearchField> = {
  username: 'primaryEmail',
  emails: 'primaryEmail',
  'emails.value': 'primaryEmail',
  'name.givenname': 'firstName',
  'name.familyname': 'lastName',
  employeenumber: 'primaryAttr',
};

/** Contains* uses the search index of members (decision 060), which ignores case and accents. */
function searchOf(tx: Tx, orgCode: string, filter: Filter) {
  if (filter.op !== 'co' || typeof filter.value !== 'string') return undefined;
  const field = Object.hasOwn(SEARCHED, filter.path) ? SEARCHED[filter.path] : undefined;
  const text = composed(filter.value);
  if (!field || text.length > SEARCHED_MAX || [...text].length < LIMITS.searchMinLength) return undefined;
  // The trigram index lacks user names that aren't email addresses and stored additional addresses, and contains
  // placeholder addresses of members with user names.
  if (field === 'primaryEmail' && provisioningRepo.hasUserNames(tx, orgCode)) return undefined;
  if (field === 'primaryEmail' && provisioningRepo.hasOtherAddresses(tx, orgCode)) return undefined;
  return { field, text };
}

function requireMember(tx: Tx, { orgCode }: Scope, id: string): MemberRow {
  const member = memberRepo.findMember(tx, orgCode, id);
  if (!member || member.accountStatus === 'deleted') throw notFound(id);
  return member;
}

const resourceOf = (
  scope: Scope,
  tx: Tx,
  member: provisioningRepo.ProvisionedMember,
  {
    extensions,
    groups = groupRepo.listGroupsOf(tx, scope.orgCode, member.suid),
  }: { extensions: readonly Extension[]; groups?: readonly groupRepo.GroupName[] },
): Versioned =>
  userResource(scope, member, { role: roleRepo.findRole(tx, scope.orgCode, member.roleCode), groups, extensions });

function getUser(scope: Scope, id: string, request: ScimRequest): ScimAnswer {
  const { deps, orgCode } = scope;
  const extensions = extensionsOf(deps.db, orgCode);
  const projection = readProjection(request.query, extensions);
  const found = resourceOf(scope, deps.db, requireMember(deps.db, scope, id), { extensions });
  return answerWith({ ...found, resource: project(found.resource, projection) }, request);
}

/** Checks everything that may be refused before writing, so it needs no nested transaction. */
export function createUser(scope: Scope, { body, query }: ScimRequest): ScimAnswer {
  const extensions = extensionsOf(scope.deps.db, scope.orgCode);
  const input = readUser(requireUserBody(body), { extensions, before: {} });
  const projection = readProjection(query, extensions);
  const enter = (tx: Tx) => {
    const member = createMember(scope, tx, input);
    // A new user isn't in any group yet.
    return { ...resourceOf(scope, tx, member, { extensions, groups: [] }), about: userNameOf(member) };
  };
  const { db } = scope.deps;
  const isWithin = db.$client.inTransaction;
  const made = isWithin ? enter(db) : db.transaction(enter);
  return { status: 201, ...made, body: project(made.resource, projection) };
}

function requireUserBody(body: JsonObject | undefined): JsonObject {
  if (body && hasSchema(body, USER_SCHEMA)) return body;
  throw badRequest('invalidSyntax', `A user must have the schema ${USER_SCHEMA}.`);
}

function replaceUser(scope: Scope, id: string, request: ScimRequest): ScimAnswer {
  const body = requireUserBody(request.body);
  return change(scope, id, request, ({ resource, extensions }) => readUser(body, { extensions, before: resource }));
}

function patch(scope: Scope, id: string, request: ScimRequest): ScimAnswer {
  const operations = readOperations(request.body ?? {});
  return change(scope, id, request, ({ member, resource, extensions }) => {
    const patched = patchUser(resource, operations, extensions);
    const input = readUser(patched, { extensions, before: resource });
    requireWhole(member, input);
    // An unchanged email address may follow the user name.
    const address = input.address === member.primaryEmail ? null : input.address;
    const isNumberRemoved = input.employeeNumber === null && member.primaryAttr !== '';
    return { ...input, address, isNumberRemoved, ...namesLeft(resource, patched, input) };
  });
}

/** Refuses to remove required values (RFC 7644 §3.5.2.2). @throws ScimError mutability */
function requireWhole(member: MemberRow, input: UserInput): void {
  if (input.active === null) throw badRequest('mutability', 'A user must have active.');
  if (input.address === null && hasAddress(member)) {
    throw badRequest('mutability', 'A user must have an email address. Replace it instead of removing it.');
  }
}

/** In a PATCH, missing sub-attributes of the name were removed; only a new formatted name is split into them. */
function namesLeft(before: JsonObject, after: JsonObject, { firstName, lastName }: UserInput) {
  const wholesOf = ({ name, displayName }: JsonObject) => [isObject(name) ? name.formatted : undefined, displayName];
  const parts = isObject(after.name) ? [after.name.givenName, after.name.familyName] : [];
  const were = wholesOf(before);
  const isNamed = parts.some(Boolean) || wholesOf(after).some((whole, at) => whole && whole !== were[at]);
  return isNamed ? { firstName: firstName ?? '', lastName: lastName ?? '' } : { firstName: '', lastName: '' };
}

/** A user before a change. */
interface Current {
  member: MemberRow;
  resource: JsonObject;
  extensions: readonly Extension[];
}

/** @param inputOf parses the request, within the transaction of the change */
function change(scope: Scope, id: string, request: ScimRequest, inputOf: (current: Current) => UserInput): ScimAnswer {
  const { deps, orgCode } = scope;
  const extensions = extensionsOf(deps.db, orgCode);
  const projection = readProjection(request.query, extensions);
  const { versioned, statusChange, about } = deps.db.transaction((tx) => {
    const member = requireMember(tx, scope, id);
    const current = resourceOf(scope, tx, member, { extensions });
    requireVersion(request, current.version);
    const input = inputOf({ member, resource: current.resource, extensions });
    const { changed, statusChange } = changeUser(scope, tx, member, input);
    const versioned = changed === member ? current : resourceOf(scope, tx, changed, { extensions });
    return { versioned, statusChange, about: userNameOf(changed) };
  });
  if (statusChange) publishStatusChange(deps, statusChange);
  return { status: 200, ...versioned, body: project(versioned.resource, projection), about };
}

function deleteUser(scope: Scope, id: string, request: ScimRequest): ScimAnswer {
  const { deps, orgCode } = scope;
  const { statusChange, about } = deps.db.transaction((tx) => {
    const member = requireMember(tx, scope, id);
    requireVersion(request, resourceOf(scope, tx, member, { extensions: extensionsOf(tx, orgCode) }).version);
    requireMemberWithin(scope, tx, member);
    return { statusChange: changeAccountStatus(deps, tx, scope.actor, member, 'delete'), about: userNameOf(member) };
  });
  publishStatusChange(deps, statusChange);
  return { status: 204, about };
}
