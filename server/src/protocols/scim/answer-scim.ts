import { memberRepo, scimLogRepo } from '@orchestrate/db';
import { storageRefusal } from '#platform/http/answers/storage-refusal.ts';
import { isTooDeep, JSON_DEPTH_MAX, readBoundedJson } from '#platform/http/requests/bounded-json.ts';
import { answerBulk } from './bulk.ts';
import { answerDiscovery } from './discovery.ts';
import { fieldOf, hasLargeObject, hasSchema, isObject, type Json, type JsonObject, OBJECT_MAX } from './json.ts';
import { listResponse, readPaging } from './queries/list-answer.ts';
import { handleGroups, listGroups, searchGroups } from './resources/groups.ts';
import { userNameOf } from './resources/user-resource.ts';
import { createUser, handleUsers, listUsers } from './resources/users.ts';
import { badRequest, errorBody, ScimError, toScimError } from './scim-error.ts';
import type { ScimRequest, ScimResponse, Scope } from './scope.ts';

const BODY_MAX_LENGTH = 4_000;

/** Logs changes and rejected requests, but not successful reads. */
function logProvisioning(scope: Scope, request: ScimRequest, answer: ScimResponse): void {
  if (request.method === 'GET' && answer.status < 400) return;
  const { deps, orgCode } = scope;
  const { detail } = answer.status >= 400 ? (answer.body ?? {}) : {};
  scimLogRepo.insertScimLog(deps.db, {
    orgCode,
    at: deps.clock.now(),
    operation: cut(`${request.method} ${request.path}`, 300),
    userName: cut(answer.about ?? aboutOf(scope, request), 254),
    status: answer.status,
    body: request.body ? cut(JSON.stringify(redacted(request.body)), BODY_MAX_LENGTH) : '',
    detail: cut(typeof detail === 'string' ? detail : '', 500),
  });
}

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** Returns the subject of a rejected request for the log: the name in its body, or else the user in its path. */
function aboutOf({ deps, orgCode }: Scope, { path, body }: ScimRequest): string {
  const name = body && (fieldOf(body, 'userName') ?? fieldOf(body, 'displayName'));
  if (typeof name === 'string') return name;
  const [, endpoint, id] = path.split('/');
  const member = endpoint === 'Users' && id ? memberRepo.findMember(deps.db, orgCode, id) : undefined;
  return member ? userNameOf(member) : '';
}

const SECRET = /password|secret|token|credential/i;

/**
 * Replaces secret values anywhere in the object, whether stored under their name or set by an operation with their
 * path.
 */
function redacted(object: JsonObject): JsonObject {
  const isAboutSecret = typeof object.path === 'string' && SECRET.test(object.path);
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      SECRET.test(name) || (isAboutSecret && name === 'value') ? '•••' : redactedValue(value),
    ]),
  );
}

function redactedValue(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((element) => redactedValue(element) ?? null);
  return isObject(value) ? redacted(value) : value;
}

/** Answers and logs a directory's request after its credentials have been checked. */
export async function answerScim(
  scope: Scope,
  request: Omit<ScimRequest, 'body'>,
  text: string,
): Promise<ScimResponse> {
  let body: JsonObject | undefined;
  try {
    body = text === '' ? undefined : readBody(text);
    if (request.path === '/Bulk' && request.method === 'POST') {
      return await answerBulk(scope, body, (one) => answerOne(scope, one));
    }
  } catch (reason) {
    return logged(scope, { ...request, body }, refusalOf(scope, reason));
  }
  const isNewUser = request.method === 'POST' && request.path === '/Users';
  if (isNewUser) return scope.inGroup(() => answerNewUser(scope, { ...request, body }));
  return answerOne(scope, { ...request, body });
}

function readBody(text: string): JsonObject {
  if (isTooDeep(text))
    throw badRequest('invalidSyntax', `The body must not be nested more than ${JSON_DEPTH_MAX} levels deep.`);
  const body = readBoundedJson(text);
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.');
  if (hasLargeObject(body)) throw badRequest('invalidSyntax', `Objects can have at most ${OBJECT_MAX} attributes.`);
  return body;
}

async function answerOne(scope: Scope, request: ScimRequest): Promise<ScimResponse> {
  let answer: ScimResponse;
  try {
    answer = await dispatch(scope, request);
  } catch (reason) {
    answer = refusalOf(scope, reason);
  }
  try {
    return logged(scope, request, answer);
  } catch (reason) {
    // The change has been made even if the log entry can't be written, so ignore storage errors.
    if (!storageRefusal(reason)) throw reason;
    scope.deps.log.error({ err: reason }, "couldn't write to the provisioning log");
    return answer;
  }
}

/**
 * Answers a request that creates a user. The function is synchronous, so that one transaction can create several
 * users.
 * @throws if the database cannot be written: SQLite may have rolled back the whole transaction, and writing must not
 * continue outside it
 */
function answerNewUser(scope: Scope, request: ScimRequest): ScimResponse {
  try {
    return logged(scope, request, createUser(scope, request));
  } catch (reason) {
    if (storageRefusal(reason)) throw reason;
    return logged(scope, request, refusalOf(scope, reason));
  }
}

function logged(scope: Scope, request: ScimRequest, answer: ScimResponse): ScimResponse {
  logProvisioning(scope, request, answer);
  return answer;
}

/** Converts an error to a SCIM error. Unexpected errors are logged, and their details hidden. */
function refusalOf({ deps }: Scope, reason: unknown): ScimResponse {
  const unsaved = storageRefusal(reason);
  const error = toScimError(unsaved ?? reason) ?? new ScimError(500, 'Something went wrong.');
  if (error.status >= 500 && !(reason instanceof ScimError))
    deps.log.error({ err: reason }, unsaved?.message ?? 'defect');
  return { status: error.status, body: errorBody(error) };
}

function dispatch(scope: Scope, request: ScimRequest): ScimResponse | Promise<ScimResponse> {
  const [, endpoint = '', id, ...rest] = request.path.replace(/\/$/, '').split('/');
  if (rest.length > 0) throw noSuchEndpoint(request);
  const answer = answerEndpoint(scope, endpoint, id, request) ?? answerDiscovery(scope, endpoint, id, request);
  if (answer) return answer;
  const absent = ABSENT.get(endpoint);
  if (absent) throw new ScimError(501, absent, 'notImplemented');
  throw KNOWN.has(endpoint) ? new ScimError(405, `${request.method} is not supported here.`) : noSuchEndpoint(request);
}

/** RFC 7644 endpoints that aren't supported and get `notImplemented`. */
const ABSENT: ReadonlyMap<string, string> = new Map([
  ['Me', '/Me is not supported, because directories are not users (RFC 7644 §3.11).'],
]);

const KNOWN: ReadonlySet<string> = new Set([
  'Users',
  'Groups',
  'Bulk',
  '.search',
  'ServiceProviderConfig',
  'ResourceTypes',
  'Schemas',
]);

const noSuchEndpoint = ({ path }: ScimRequest) => new ScimError(404, `Endpoint ${path} doesn't exist.`);

function answerEndpoint(
  scope: Scope,
  endpoint: string,
  id: string | undefined,
  request: ScimRequest,
): ScimResponse | Promise<ScimResponse> | undefined {
  if (endpoint === '.search' && id === undefined && request.method === 'POST') {
    return searchAll(scope, queryOf(request.body ?? {}));
  }
  if (id === '.search' && request.method === 'POST') {
    const query = queryOf(request.body ?? {});
    if (endpoint === 'Users') return listUsers(scope, query);
    if (endpoint === 'Groups') return searchGroups(scope, query);
  }
  if (endpoint === 'Users') return handleUsers(scope, id, request);
  return endpoint === 'Groups' ? handleGroups(scope, id, request) : undefined;
}

/**
 * Lists users, then groups (RFC 7644 §3.4.2.1), each sorted separately. Returns no matches from a resource type that
 * lacks an attribute used for filtering or sorting.
 */
async function searchAll(scope: Scope, query: URLSearchParams): Promise<ScimResponse> {
  const paging = readPaging(query);
  const users = await found(listUsers(scope, query));
  const total = countIn(users);
  const rest = new URLSearchParams(query);
  rest.set('startIndex', String(Math.max(paging.offset - total, 0) + 1));
  rest.set('count', String(paging.count - resourcesIn(users).length));
  const groups = await found(listGroups(scope, rest));
  if (users instanceof ScimError && groups instanceof ScimError) throw users;
  return listResponse([...resourcesIn(users), ...resourcesIn(groups)], total + countIn(groups), paging);
}

type Found = ScimResponse | ScimError;

const found = (listing: Promise<ScimResponse>): Promise<Found> =>
  listing.catch((reason: unknown) => {
    if (reason instanceof ScimError && (reason.scimType === 'invalidFilter' || reason.scimType === 'invalidPath')) {
      return reason;
    }
    throw reason;
  });

const countIn = (list: Found): number => ('body' in list ? Number(list.body?.totalResults ?? 0) : 0);

function resourcesIn(list: Found): JsonObject[] {
  const { Resources } = 'body' in list ? (list.body ?? {}) : {};
  return Array.isArray(Resources) ? Resources.filter(isObject) : [];
}

const SEARCH_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

const SEARCHED_BY = ['attributes', 'excludedAttributes', 'filter', 'sortBy', 'sortOrder', 'startIndex', 'count'];

/** Converts the body of a POST search to a query (RFC 7644 §3.4.3). */
function queryOf(body: JsonObject): URLSearchParams {
  if (!hasSchema(body, SEARCH_REQUEST)) {
    throw badRequest('invalidSyntax', `A search must have the schema ${SEARCH_REQUEST}.`);
  }
  const query = new URLSearchParams();
  for (const name of SEARCHED_BY) {
    const value = fieldOf(body, name);
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  return query;
}
