import { setImmediate } from 'node:timers/promises';
import { LIMITS } from '@orchestrate/shared';
import { fieldOf, hasSchema, isObject, type Json, type JsonObject } from './json.ts';
import { badRequest, errorBody, ScimError } from './scim-error.ts';
import type { ScimAnswer, ScimRequest } from './scope.ts';

const BULK_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const BULK_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';

export const BULK_MAX_OPERATIONS = 1_000;
export const BULK_MAX_BYTES = LIMITS.jsonBodyBytes;

/** Answers one request; refusals are returned, never thrown. */
export type AnswerOne = (request: ScimRequest) => Promise<ScimAnswer>;

interface BulkOperation {
  method: string;
  path: string;
  bulkId: string | undefined;
  version: string | undefined;
  data: JsonObject | undefined;
}

/**
 * Many requests in one (RFC 7644 §3.7), each by itself. One that refers to what another creates (`bulkId:…`) waits for
 * it; the others run in order. Other callers are served in between.
 * @param base address of the organisation's endpoint, without a trailing slash
 * @throws ScimError 413 too many; invalidSyntax
 */
export async function answerBulk(
  base: string,
  body: JsonObject | undefined,
  answerOne: AnswerOne,
): Promise<ScimAnswer> {
  const { operations, failOnErrors } = readBulk(body);
  const made = new Map<string, string>();
  const results: JsonObject[] = [];
  let errors = 0;
  let waiting = operations;
  while (waiting.length > 0 && errors < failOnErrors) {
    const pending = new Set(waiting.flatMap(({ bulkId }) => (bulkId === undefined ? [] : [bulkId])));
    const later: BulkOperation[] = [];
    for (const operation of waiting) {
      if (errors >= failOnErrors) break;
      const named = namesIn(operation);
      if (named.some((bulkId) => bulkId !== operation.bulkId && pending.has(bulkId) && !made.has(bulkId))) {
        later.push(operation);
        continue;
      }
      if (results.length % 20 === 19) await setImmediate();
      const result = await answer(base, operation, made, answerOne);
      if (operation.bulkId !== undefined) pending.delete(operation.bulkId);
      if (Number(result.status) >= 400) errors += 1;
      results.push(result);
    }
    if (later.length === waiting.length) {
      results.push(...later.map((operation) => resultOf(base, operation, refused(IN_A_CIRCLE))));
      break;
    }
    waiting = later;
  }
  return { status: 200, body: { schemas: [BULK_RESPONSE], Operations: results } };
}

const IN_A_CIRCLE = new ScimError(409, 'These operations depend on each other.');

const METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

function readBulk(body: JsonObject | undefined): { operations: BulkOperation[]; failOnErrors: number } {
  if (!body || !hasSchema(body, BULK_REQUEST)) {
    throw badRequest('invalidSyntax', `A bulk request must have the schema ${BULK_REQUEST}.`);
  }
  const failOnErrors = fieldOf(body, 'failOnErrors');
  const listed = fieldOf(body, 'Operations');
  if (!Array.isArray(listed)) throw badRequest('invalidSyntax', 'A bulk request must have Operations.');
  if (listed.length > BULK_MAX_OPERATIONS) {
    throw new ScimError(413, `The bulk request has more than ${BULK_MAX_OPERATIONS} operations.`, 'tooMany');
  }
  if (failOnErrors !== undefined && failOnErrors !== null && !(typeof failOnErrors === 'number' && failOnErrors >= 0)) {
    throw badRequest('invalidValue', 'failOnErrors must be a number.');
  }
  return { operations: listed.map(readOperation), failOnErrors: failOnErrors || Number.POSITIVE_INFINITY };
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
  return {
    method: name,
    path,
    bulkId: typeof bulkId === 'string' ? bulkId : undefined,
    version: typeof version === 'string' ? version : undefined,
    data: isObject(data) ? data : undefined,
  };
}

const REFERENCE = /^bulkId:(.+)$/;

/** The other operations that an operation refers to. */
function namesIn({ path, data }: BulkOperation): string[] {
  const names = path.split('/').flatMap((part) => REFERENCE.exec(part)?.[1] ?? []);
  walk(data, (text) => {
    const name = REFERENCE.exec(text)?.[1];
    if (name !== undefined) names.push(name);
    return text;
  });
  return names;
}

/** The same value with every text transformed. */
function walk(value: Json | undefined, change: (text: string) => string): Json | undefined {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((element) => walk(element, change) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, walk(part, change)]));
}

async function answer(
  base: string,
  operation: BulkOperation,
  made: Map<string, string>,
  answerOne: AnswerOne,
): Promise<JsonObject> {
  let isMissing = false;
  const resolve = (text: string): string => {
    const name = REFERENCE.exec(text)?.[1];
    if (name === undefined) return text;
    const id = made.get(name);
    if (id === undefined) isMissing = true;
    return id ?? text;
  };
  const path = operation.path.split('/').map(resolve).join('/');
  const data = walk(operation.data, resolve);
  const reply = isMissing
    ? refused(new ScimError(409, 'This operation refers to something that was not created.', 'invalidValue'))
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

const refused = (error: ScimError): ScimAnswer => ({ status: error.status, body: errorBody(error) });

function resultOf(
  base: string,
  { method, bulkId, path }: BulkOperation,
  { status, location, version, body }: ScimAnswer,
): JsonObject {
  // What was not created has no address; everything else has one, after a refusal too (RFC 7644 §3.7).
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
