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
import { hasEmailAddress } from '#core/members/addresses.ts';
import { changeAccountStatus, publishStatusChange } from '#core/members/change-account-status.ts';
import { normaliseUserName } from '#core/sign-in/find-member.ts';
import { USER_SCHEMA } from '../attributes.ts';
import { type Extension, extensionsOf } from '../extensions.ts';
import { hasSchema, isObject, type JsonObject } from '../json.ts';
import { countComparisons, type Filter, parseFilter } from '../queries/filter.ts';
import { type FoundPage, findInSlices, listInSlices, searchInSlices } from '../queries/find-in-slices.ts';
import { isDescending, listResponse, type Paging, readPaging, readSortBy } from '../queries/list-answer.ts';
import { memberConditionOf, sortColumnOf } from '../queries/member-condition.ts';
import { project, readProjection } from '../queries/projection.ts';
import { badRequest, notFound } from '../scim-error.ts';
import type { ScimRequest, ScimResponse, Scope } from '../scope.ts';
import { requireChangeableMember } from './maximum-role.ts';
import { readOperations } from './patch-request.ts';
import { patchUser } from './patch-user.ts';
import { readUser, type UserInput } from './read-user.ts';
import { userNameOf, userResource } from './user-resource.ts';
import { requireVersion, resourceResponse, type Versioned } from './version.ts';
import { changeUser, createMember } from './write-user.ts';

type MemberRow = memberRepo.MemberRow;

/** Handles requests for users (RFC 7644 §3), which are all members that haven't been deleted. */
export function handleUsers(
  scope: Scope,
  id: string | undefined,
  request: ScimRequest,
): ScimResponse | Promise<ScimResponse> | undefined {
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

/**
 * Lists a page of filtered users, including for `.search`. @throws ScimError as `findInSlices`,
 * `perOrganisationQueue`
 */
export async function listUsers(scope: Scope, query: URLSearchParams): Promise<ScimResponse> {
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
  return listResponse(
    users.map(({ resource }) => project(resource, projection)),
    total,
    paging,
    projection ? undefined : users.map(({ written }) => written),
  );
}

/** Highest offset read directly. Pages beyond it are counted from the start, and therefore in slices. */
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
  const comparisons = filter ? countComparisons(filter) : 0;
  const options = { ...paging, condition, comparisons, orderBy, isDescending: isDescending(query) };
  return scope.perOrganisationQueue(orgCode, () => findInSlices(scope, options));
}

const countPresent = (tx: Tx, orgCode: string): number =>
  memberCountRepo
    .listMemberCounts(tx, orgCode)
    .reduce((total, { accountStatus, members }) => (accountStatus === 'deleted' ? total : total + members), 0);

/**
 * Finds users by an exact identifier or email address, using an index, because every directory makes this query
 * before it creates a user. Returns undefined for other filters.
 */
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
      return one(memberRepo.findMemberByEmail(tx, orgCode, value.toLowerCase())).filter(hasEmailAddress);
    default:
      return undefined;
  }
}

/** Maximum length of an indexed search term, in characters. Every trigram needs a lookup. */
const SEARCHED_MAX = 60;

const SEARCHED: Record<string, memberSearchRepo.SearchField> = {
  username: 'primaryEmail',
  emails: 'primaryEmail',
  'emails.value': 'primaryEmail',
  'name.givenname': 'firstName',
  'name.familyname': 'lastName',
  employeenumber: 'primaryAttr',
};

/** Searches the member index for a `contains` filter (decision 060). The index ignores case and accents. */
function searchOf(tx: Tx, orgCode: string, filter: Filter) {
  if (filter.op !== 'co' || typeof filter.value !== 'string') return undefined;
  const field = Object.hasOwn(SEARCHED, filter.path) ? SEARCHED[filter.path] : undefined;
  const text = composed(filter.value);
  if (!field || text.length > SEARCHED_MAX || [...text].length < LIMITS.searchMinLength) return undefined;
  // The trigram index lacks stored additional addresses and user names that aren't email addresses. It also contains
  // placeholder addresses for members with user names.
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
    groups = groupRepo.listMemberGroups(tx, scope.orgCode, member.suid),
  }: { extensions: readonly Extension[]; groups?: readonly groupRepo.GroupName[] },
): Versioned =>
  userResource(scope, member, { role: roleRepo.findRole(tx, scope.orgCode, member.roleCode), groups, extensions });

function getUser(scope: Scope, id: string, request: ScimRequest): ScimResponse {
  const { deps, orgCode } = scope;
  const extensions = extensionsOf(deps.db, orgCode);
  const projection = readProjection(request.query, extensions);
  const found = resourceOf(scope, deps.db, requireMember(deps.db, scope, id), { extensions });
  return resourceResponse({ ...found, resource: project(found.resource, projection) }, request);
}

/** Creates a user. Runs all checks before writing, so a refusal needs no nested transaction. */
export function createUser(scope: Scope, { body, query }: ScimRequest): ScimResponse {
  const extensions = extensionsOf(scope.deps.db, scope.orgCode);
  const input = readUser(requireUserBody(body), { extensions, before: {} });
  const projection = readProjection(query, extensions);
  const enter = (tx: Tx) => {
    const member = createMember(scope, tx, input);
    // A new user isn't in any groups yet.
    return { ...resourceOf(scope, tx, member, { extensions, groups: [] }), about: userNameOf(member) };
  };
  const { db } = scope.deps;
  const isWithin = db.$client.inTransaction;
  const made = isWithin ? enter(db) : db.transaction(enter);
  return { status: 201, ...made, body: project(made.resource, projection) };
}

function requireUserBody(body: JsonObject | undefined): JsonObject {
  if (body && hasSchema(body, USER_SCHEMA)) return body;
  throw badRequest('invalidSyntax', `Users must have the schema ${USER_SCHEMA}.`);
}

function replaceUser(scope: Scope, id: string, request: ScimRequest): ScimResponse {
  const body = requireUserBody(request.body);
  return change(scope, id, request, ({ resource, extensions }) => readUser(body, { extensions, before: resource }));
}

function patch(scope: Scope, id: string, request: ScimRequest): ScimResponse {
  const operations = readOperations(request.body ?? {});
  return change(scope, id, request, ({ member, resource, extensions }) => {
    const patched = patchUser(resource, operations, extensions);
    const input = readUser(patched, { extensions, before: resource });
    requireWhole(member, input);
    // Treat an unchanged email address as omitted, which lets it follow a changed user name.
    const address = input.address === member.primaryEmail ? null : input.address;
    const isNumberRemoved = input.employeeNumber === null && member.primaryAttr !== '';
    return { ...input, address, isNumberRemoved, ...namesLeft(resource, patched, input) };
  });
}

/** Refuses to remove required values (RFC 7644 §3.5.2.2). @throws ScimError mutability */
function requireWhole(member: MemberRow, input: UserInput): void {
  if (input.active === null) throw badRequest('mutability', 'Users must have active.');
  if (input.address === null && hasEmailAddress(member)) {
    throw badRequest('mutability', 'Users must have an email address. Replace it instead of removing it.');
  }
}

/**
 * Returns the first and last name after a PATCH. Missing sub-attributes were removed. Only a new formatted name is
 * split into sub-attributes.
 */
function namesLeft(before: JsonObject, after: JsonObject, { firstName, lastName }: UserInput) {
  const wholesOf = ({ name, displayName }: JsonObject) => [isObject(name) ? name.formatted : undefined, displayName];
  const parts = isObject(after.name) ? [after.name.givenName, after.name.familyName] : [];
  const were = wholesOf(before);
  const isNamed = parts.some(Boolean) || wholesOf(after).some((whole, at) => whole && whole !== were[at]);
  return isNamed ? { firstName: firstName ?? '', lastName: lastName ?? '' } : { firstName: '', lastName: '' };
}

/** A user's state before a change. */
interface Current {
  member: MemberRow;
  resource: JsonObject;
  extensions: readonly Extension[];
}

/**
 * Changes a user and returns the response, in one transaction.
 * @param inputOf parses the request inside the transaction
 */
function change(
  scope: Scope,
  id: string,
  request: ScimRequest,
  inputOf: (current: Current) => UserInput,
): ScimResponse {
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

function deleteUser(scope: Scope, id: string, request: ScimRequest): ScimResponse {
  const { deps, orgCode } = scope;
  const { statusChange, about } = deps.db.transaction((tx) => {
    const member = requireMember(tx, scope, id);
    requireVersion(request, resourceOf(scope, tx, member, { extensions: extensionsOf(tx, orgCode) }).version);
    requireChangeableMember(scope, tx, member);
    return { statusChange: changeAccountStatus(deps, tx, scope.actor, member, 'delete'), about: userNameOf(member) };
  });
  publishStatusChange(deps, statusChange);
  return { status: 204, about };
}
