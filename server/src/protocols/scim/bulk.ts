import { setImmediate } from 'node:timers/promises';
import { LIMITS } from '@orchestrate/shared';
import { fieldOf, hasSchema, isObject, type Json, type JsonObject } from './json.ts';
import { PATCH_SCHEMA } from './resources/patch-request.ts';
import { badRequest, errorBody, ScimError } from './scim-error.ts';
import type { ScimRequest, ScimResponse, Scope } from './scope.ts';

const BULK_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const BULK_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';

export const BULK_MAX_OPERATIONS = 1_000;
export const BULK_MAX_BYTES = LIMITS.jsonBodyBytes;

/** Answers one request. Returns rejections instead of throwing them. */
export type AnswerOne = (request: ScimRequest) => Promise<ScimResponse>;

interface BulkOperation {
  method: string;
  path: string;
  bulkId: string | undefined;
  version: string | undefined;
  data: JsonObject | undefined;
  /** Bulk IDs of the operations on which this operation depends. */
  refersTo: readonly string[];
}

/**
 * Runs a bulk request's operations independently (RFC 7644 §3.7). An operation that refers to a created resource
 * (`bulkId:…`) waits for that resource; other operations run in order. In a reference cycle, one resource is created
 * without its references and updated once their targets exist (§3.7.1). Other requests are served between operations.
 * @throws ScimError 413 too many; invalidSyntax
 */
export async function answerBulk(
  { base }: Pick<Scope, 'base'>,
  body: JsonObject | undefined,
  answerOne: AnswerOne,
): Promise<ScimResponse> {
  const { operations, failOnErrors } = readBulk(body);
  const made = new Map<string, string>();
  const results: JsonObject[] = [];
  let errors = 0;
  let waiting = operations;
  let inCircles: ReadonlySet<BulkOperation> = new Set();
  let incomplete: { operation: BulkOperation; result: JsonObject }[] = [];

  async function complete(): Promise<void> {
    const { ready = [], unready = [] } = Object.groupBy(incomplete, ({ operation }) =>
      operation.refersTo.every((name) => made.has(name)) ? 'ready' : 'unready',
    );
    incomplete = unready;
    for (const { operation, result } of ready) {
      const { version } = await answerOne(referring(operation, made));
      if (version !== undefined) result.version = version;
    }
  }

  while (waiting.length > 0 && errors < failOnErrors) {
    const pending = new Set(waiting.flatMap(({ bulkId }) => (bulkId === undefined ? [] : [bulkId])));
    const later: BulkOperation[] = [];
    for (const operation of waiting) {
      if (errors >= failOnErrors) break;
      const unmade = operation.refersTo.filter((bulkId) => pending.has(bulkId) && !made.has(bulkId));
      if (unmade.length > 0 && !inCircles.has(operation)) {
        later.push(operation);
        continue;
      }
      if (results.length % 20 === 19) await setImmediate();
      const result = await answer(base, operation, { made, mayMiss: unmade, answerOne });
      if (operation.bulkId !== undefined) pending.delete(operation.bulkId);
      if (Number(result.status) >= 400) errors += 1;
      else if (unmade.length > 0) incomplete.push({ operation, result });
      results.push(result);
      if (incomplete.length > 0) await complete();
    }
    inCircles = later.length === waiting.length ? oneOfEachCircle(later) : new Set();
    waiting = later;
  }
  return { status: 200, body: { schemas: [BULK_RESPONSE], Operations: results } };
}

/** Returns one operation from each reference cycle. All `operations` must be waiting for each other. */
function oneOfEachCircle(operations: readonly BulkOperation[]): Set<BulkOperation> {
  const byName = new Map(operations.map((operation) => [operation.bulkId, operation]));
  const cameFrom = new Map<BulkOperation, BulkOperation>();
  const found = new Set<BulkOperation>();
  for (const start of operations) {
    let next: BulkOperation | undefined = start;
    while (next && !cameFrom.has(next)) {
      cameFrom.set(next, start);
      next = byName.get(next.refersTo.find((name) => byName.has(name)));
    }
    if (next && cameFrom.get(next) === start) found.add(next);
  }
  return found;
}

/** Returns the PATCH request that adds references omitted on creation. */
function referring({ path, bulkId, data }: BulkOperation, made: ReadonlyMap<string, string>): ScimRequest {
  const value = walk(onlyReferences(data), (text) => made.get(REFERENCE.exec(text)?.[1] ?? '') ?? text) ?? null;
  return {
    method: 'PATCH',
    path: `${path}/${made.get(bulkId ?? '')}`,
    query: new URLSearchParams(),
    body: { schemas: [PATCH_SCHEMA], Operations: [{ op: 'add', value }] },
    ifMatch: undefined,
    ifNoneMatch: undefined,
  };
}

/**
 * Returns only the objects in a value that contain a reference, each complete: `{ value: 'bulkId:a', type: 'User' }`.
 */
function onlyReferences(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') return REFERENCE.test(value) ? value : undefined;
  if (Array.isArray(value)) return value.filter((element) => onlyReferences(element) !== undefined);
  if (!isObject(value)) return undefined;
  if (Object.values(value).some((part) => typeof part === 'string' && REFERENCE.test(part))) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, onlyReferences(part)] as const);
  const referring = parts.filter(([, part]) => part !== undefined && !(Array.isArray(part) && part.length === 0));
  return referring.length > 0 ? Object.fromEntries(referring) : undefined;
}

const METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

function readBulk(body: JsonObject | undefined): { operations: BulkOperation[]; failOnErrors: number } {
  if (!body || !hasSchema(body, BULK_REQUEST)) {
    throw badRequest('invalidSyntax', `A bulk request must have the schema ${BULK_REQUEST}.`);
  }
  const failOnErrors = fieldOf(body, 'failOnErrors');
  const listed = fieldOf(body, 'Operations');
  if (!Array.isArray(listed)) throw badRequest('invalidSyntax', 'A bulk request must have Operations.');
  if (listed.length > BULK_MAX_OPERATIONS) {
    throw new ScimError(
      413,
      `The bulk request has more than ${BULK_MAX_OPERATIONS} operations. Split it into several requests.`,
      'tooMany',
    );
  }
  if (failOnErrors !== undefined && failOnErrors !== null && !(typeof failOnErrors === 'number' && failOnErrors >= 0)) {
    throw badRequest('invalidValue', 'failOnErrors must be a number.');
  }
  const operations = listed.map(readOperation);
  const names = operations.flatMap(({ method, bulkId }) => (method === 'POST' ? bulkId : []));
  // Duplicate bulkIds would make references ambiguous (RFC 7644 §3.7).
  if (new Set(names).size < names.length) throw badRequest('invalidSyntax', 'Each bulkId must be unique.');
  return { operations, failOnErrors: failOnErrors || Number.POSITIVE_INFINITY };
}

const FIELDS = ['method', 'path', 'bulkId', 'version', 'data'];

function readOperation(operation: Json): BulkOperation {
  if (!isObject(operation)) throw badRequest('invalidSyntax', 'An operation must be an object.');
  const [method, path, bulkId, version, data] = FIELDS.map((field) => fieldOf(operation, field));
  const name = typeof method === 'string' ? method.toUpperCase() : '';
  if (!METHODS.has(name) || typeof path !== 'string' || !path.startsWith('/')) {
    throw badRequest('invalidSyntax', 'An operation must have a method (POST, PUT, PATCH or DELETE) and a path.');
  }
  if (name === 'POST' && typeof bulkId !== 'string') throw badRequest('invalidSyntax', 'A POST must have a bulkId.');
  const read = {
    method: name,
    path,
    bulkId: typeof bulkId === 'string' ? bulkId : undefined,
    version: typeof version === 'string' ? version : undefined,
    data: isObject(data) ? data : undefined,
  };
  return { ...read, refersTo: namesIn(read) };
}

const REFERENCE = /^bulkId:(.+)$/;

/** Returns the bulk IDs of the operations to which an operation refers. */
function namesIn({ path, data }: Pick<BulkOperation, 'path' | 'data'>): string[] {
  const names = path.split('/').flatMap((part) => REFERENCE.exec(part)?.[1] ?? []);
  walk(data, (text) => {
    const name = REFERENCE.exec(text)?.[1];
    if (name !== undefined) names.push(name);
    return text;
  });
  return names;
}

/** Applies a transformation to every string in a value. */
function walk(value: Json | undefined, change: (text: string) => string): Json | undefined {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((element) => walk(element, change) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, walk(part, change)]));
}

interface Answering {
  made: Map<string, string>;
  /** References that a new resource may omit when it is created. */
  mayMiss: readonly string[];
  answerOne: AnswerOne;
}

async function answer(
  base: string,
  operation: BulkOperation,
  { made, mayMiss, answerOne }: Answering,
): Promise<JsonObject> {
  let isMissing = false;
  const resolve = (text: string): string => {
    const name = REFERENCE.exec(text)?.[1];
    if (name === undefined) return text;
    const id = made.get(name);
    if (id === undefined && !(operation.method === 'POST' && mayMiss.includes(name))) isMissing = true;
    return id ?? text;
  };
  const path = operation.path.split('/').map(resolve).join('/');
  const data = walk(operation.data, resolve);
  const reply = isMissing
    ? refused(new ScimError(409, 'This operation refers to a resource that could not be created.', 'invalidValue'))
    : await answerOne({
        method: operation.method,
        path,
        query: new URLSearchParams(),
        body: isObject(data) ? data : undefined,
        ifMatch: operation.version,
        ifNoneMatch: undefined,
      });
  const id = reply.body?.id;
  if (operation.method === 'POST' && reply.status < 400 && operation.bulkId !== undefined && typeof id === 'string') {
    made.set(operation.bulkId, id);
  }
  return resultOf(base, { ...operation, path }, reply);
}

const refused = (error: ScimError): ScimResponse => ({ status: error.status, body: errorBody(error) });

function resultOf(
  base: string,
  { method, bulkId, path }: BulkOperation,
  { status, location, version, body }: ScimResponse,
): JsonObject {
  // Only a failed creation has no location (RFC 7644 §3.7).
  const hasAddress = method !== 'POST' && !path.split('/').some((part) => REFERENCE.test(part));
  const address = location ?? (hasAddress ? `${base}${path}` : undefined);
  return {
    ...(address !== undefined && { location: address }),
    method,
    ...(bulkId !== undefined && { bulkId }),
    ...(version !== undefined && { version }),
    status: String(status),
    ...(status >= 400 && { response: body }),
  };
}
