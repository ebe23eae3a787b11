import { isDeepStrictEqual } from 'node:util';
import {
  type Attribute,
  attributeNamed,
  COMMON_ATTRIBUTES,
  ENTERPRISE_ATTRIBUTES,
  ENTERPRISE_SCHEMA,
  GROUP_SCHEMA,
  spelling,
  UNKEPT,
  USER_ATTRIBUTES,
  USER_SCHEMA,
} from '../attributes.ts';
import { fieldOf, hasSchema, isObject, type Json, type JsonObject } from '../json.ts';
import { type Filter, parseFilter } from '../queries/filter.ts';
import { matchesFilter } from '../queries/matches-filter.ts';
import { badRequest } from '../scim-error.ts';
import { spellNames } from '../spell-names.ts';

export interface PatchOperation {
  op: 'add' | 'replace' | 'remove';
  path: string | undefined;
  value: Json | undefined;
  /** Entra's older dialect, recognised by its capitals: it replaces what is not there yet. */
  mayBeMissing: boolean;
}

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const MAX_OPERATIONS = 1_000;

/** The operations of a request (RFC 7644 §3.5.2). @throws ScimError invalidSyntax, invalidValue */
export function readOperations(body: JsonObject): PatchOperation[] {
  const listed = fieldOf(body, 'Operations');
  if (!hasSchema(body, PATCH_SCHEMA)) {
    throw badRequest('invalidSyntax', `A PATCH request must have the schema ${PATCH_SCHEMA}.`);
  }
  if (!Array.isArray(listed) || listed.length === 0) {
    throw badRequest('invalidSyntax', 'A PATCH request must have Operations.');
  }
  if (listed.length > MAX_OPERATIONS) throw badRequest('tooMany', `At most ${MAX_OPERATIONS} operations.`);
  return listed.map(readOperation);
}

function readOperation(operation: Json): PatchOperation {
  const said = isObject(operation) ? fieldOf(operation, 'op') : undefined;
  if (!isObject(operation) || typeof said !== 'string') {
    throw badRequest('invalidSyntax', 'An operation must have an op: add, replace or remove.');
  }
  const op = said.toLowerCase();
  if (op !== 'add' && op !== 'replace' && op !== 'remove') {
    throw badRequest('invalidSyntax', `${said} is not an operation: expected add, replace or remove.`);
  }
  const path = fieldOf(operation, 'path');
  const value = fieldOf(operation, 'value');
  if (path !== undefined && path !== null && typeof path !== 'string') {
    throw badRequest('invalidPath', 'A path must be a string.');
  }
  if (op === 'remove' && !path) throw badRequest('noTarget', 'A remove operation needs a path.');
  if (op !== 'remove' && value === undefined) throw badRequest('invalidValue', `${op} needs a value.`);
  return { op, path: path || undefined, value, mayBeMissing: said !== op };
}

/** The target of an operation. */
export interface PatchPath {
  isEnterprise: boolean;
  /** '' for the whole extension. */
  attribute: string;
  filter: Filter | undefined;
  sub: string | undefined;
}

const CORE = [USER_SCHEMA, GROUP_SCHEMA].map((urn) => urn.toLowerCase());
const ENTERPRISE = ENTERPRISE_SCHEMA.toLowerCase();

/** Reads a path (RFC 7644 §3.5.2, figure 7). @throws ScimError invalidPath, invalidFilter */
export function parsePath(text: string): PatchPath {
  const trimmed = text.trim();
  const lower = trimmed.toLowerCase();
  if (lower === ENTERPRISE) return { isEnterprise: true, attribute: '', filter: undefined, sub: undefined };
  const urn = [...CORE, ENTERPRISE].find((known) => lower.startsWith(`${known}:`) || lower.startsWith(`${known}.`));
  const rest = urn === undefined ? trimmed : trimmed.slice(urn.length + 1);
  const [, attribute, brackets, sub] = /^([\w$-]+)(?:\[(.*)\])?(?:\.([\w$-]+))?$/s.exec(rest) ?? [];
  if (attribute === undefined) throw badRequest('invalidPath', `${text} is not a path.`);
  const isExtension = attributeNamed(ENTERPRISE_ATTRIBUTES, attribute) !== undefined;
  return {
    isEnterprise: urn === ENTERPRISE || (urn === undefined && isExtension),
    attribute: spelling(attribute),
    filter: brackets === undefined ? undefined : parseFilter(brackets),
    sub: sub === undefined ? undefined : spelling(sub),
  };
}

/**
 * A user after some operations; the original is left unchanged. @throws ScimError invalidPath, noTarget, mutability …
 */
export function patchUser(user: JsonObject, operations: readonly PatchOperation[]): JsonObject {
  const patched = structuredClone(user);
  for (const operation of operations) {
    if (operation.path !== undefined) applyAt(patched, parsePath(operation.path), operation);
    else applyEach(patched, operation, (name) => parsePath(name));
  }
  return patched;
}

/** Without a path, the value contains several attributes by name. Entra uses whole paths as names. */
function applyEach(user: JsonObject, operation: PatchOperation, pathOf: (name: string) => PatchPath): void {
  if (!isObject(operation.value)) throw badRequest('invalidValue', 'Without a path, the value must be an object.');
  for (const [name, value] of Object.entries(operation.value)) {
    if (name.toLowerCase() === 'schemas' || value === undefined) continue;
    // The resource's own id: Okta sends it along.
    if (name.toLowerCase() === 'id' && value === user.id) continue;
    applyAt(user, pathOf(name), { ...operation, value });
  }
}

function applyAt(user: JsonObject, path: PatchPath, operation: PatchOperation): void {
  if (path.attribute === '') {
    if (operation.op === 'remove') delete user[ENTERPRISE_SCHEMA];
    else applyEach(user, operation, (name) => ({ ...parsePath(name), isEnterprise: true }));
    return;
  }
  const known = definitionOf(path);
  if (!known) return;
  const written = path.sub === undefined ? known : attributeNamed(known.subAttributes ?? [], path.sub);
  if (known.mutability === 'readOnly') throw badRequest('mutability', `${known.name} is read-only.`);
  if (!written && !USUAL_PARTS.has(path.sub ?? '')) {
    throw badRequest('invalidPath', `${known.name} has no ${path.sub}.`);
  }
  // Directories also send derived values, such as a formatted name: these are not stored.
  if (!written || written.mutability === 'readOnly') return;
  if (known.required && path.sub === undefined && isCleared(operation)) {
    throw badRequest('mutability', `A user must have ${known.name}.`);
  }
  const owner = path.isEnterprise ? extensionOf(user) : user;
  const change = { name: known.name, path, operation };
  if (known.multiValued) applyToList(owner, change);
  else if (path.filter) throw badRequest('invalidPath', `${known.name} has only one value: it cannot be filtered.`);
  else if (known.type === 'complex') applyToParts(owner, change);
  else if (isCleared(operation)) delete owner[known.name];
  else owner[known.name] = operation.value;
}

/** RFC 7643 §2.4: the usual parts of list elements. */
const USUAL_PARTS: ReadonlySet<string> = new Set(['type', 'primary', 'display', 'value', '$ref']);

interface Change {
  name: string;
  path: PatchPath;
  operation: PatchOperation;
}

/** Undefined for attributes that the portal does not support. @throws ScimError invalidPath for what no user has */
function definitionOf({ isEnterprise, attribute }: PatchPath): Attribute | undefined {
  const attributes = isEnterprise ? ENTERPRISE_ATTRIBUTES : [...COMMON_ATTRIBUTES, ...USER_ATTRIBUTES];
  const known = attributeNamed(attributes, attribute);
  if (!known && !UNKEPT.has(attribute.toLowerCase())) throw badRequest('invalidPath', `No user has ${attribute}.`);
  return known;
}

function extensionOf(user: JsonObject): JsonObject {
  const found = user[ENTERPRISE_SCHEMA];
  if (isObject(found)) return found;
  const made: JsonObject = {};
  user[ENTERPRISE_SCHEMA] = made;
  return made;
}

const isCleared = ({ op, value }: PatchOperation): boolean => op === 'remove' || value === null;

function applyToParts(owner: JsonObject, { name, path: { sub }, operation }: Change): void {
  const found = owner[name];
  const parts = isObject(found) ? found : {};
  if (sub !== undefined) {
    if (isCleared(operation)) delete parts[sub];
    else parts[sub] = operation.value;
    owner[name] = parts;
    return;
  }
  if (isCleared(operation)) delete owner[name];
  // Entra sends a manager's id as a bare value.
  else if (!isObject(operation.value)) owner[name] = { ...parts, value: operation.value };
  else owner[name] = { ...parts, ...spellNames(operation.value) };
}

function applyToList(owner: JsonObject, { name, path: { filter, sub }, operation }: Change): void {
  const found = owner[name];
  const list = Array.isArray(found) ? found.filter(isObject) : [];
  const chosen = filter ? list.filter((element) => matchesFilter(element, filter)) : list;
  if (sub === undefined && !filter) {
    owner[name] = changedList(list, operation);
    return;
  }
  if (operation.op === 'remove') {
    if (sub === undefined) owner[name] = list.filter((element) => !chosen.includes(element));
    else for (const element of chosen) delete element[sub];
    return;
  }
  const parts = sub === undefined ? elementOf(operation.value) : { [sub]: operation.value };
  if (chosen.length === 0) {
    if (filter && operation.op === 'replace' && !operation.mayBeMissing) {
      throw badRequest('noTarget', `No value of ${name} matches the filter.`);
    }
    const made = { ...(filter && chosenBy(filter)), ...parts };
    owner[name] = withOnePrimary([...list, made], [made]);
    return;
  }
  // A value that is replaced as a whole keeps nothing of what it was (RFC 7644 §3.5.2.3).
  const isWhole = sub === undefined && operation.op === 'replace';
  const changed = new Map(chosen.map((element) => [element, isWhole ? parts : { ...element, ...parts }]));
  owner[name] = withOnePrimary(
    list.map((element) => changed.get(element) ?? element),
    parts.primary === undefined ? [] : [...changed.values()],
  );
}

/** RFC 7644 §3.5.2: where one of the new values becomes the primary one, no other of the list stays it. */
function withOnePrimary(list: JsonObject[], fresh: readonly JsonObject[]): JsonObject[] {
  if (!fresh.some(({ primary }) => isTrue(primary))) return list;
  return list.map((element) =>
    fresh.includes(element) || !isTrue(element.primary) ? element : { ...element, primary: false },
  );
}

/** Entra's older dialect writes "True". */
const isTrue = (value: Json | undefined): boolean => String(value).toLowerCase() === 'true';

function changedList(list: JsonObject[], { op, value }: PatchOperation): JsonObject[] {
  const given = value === undefined || value === null ? [] : (Array.isArray(value) ? value : [value]).map(elementOf);
  if (op === 'replace') return given;
  if (op === 'remove') {
    return given.length === 0 ? [] : list.filter((element) => !given.some((gone) => isSameValue(gone, element)));
  }
  const added = given.filter((one) => !list.some((element) => isDeepStrictEqual(element, one)));
  return withOnePrimary([...list, ...added], added);
}

const isSameValue = (a: JsonObject, b: JsonObject): boolean => isDeepStrictEqual(a.value, b.value);

function elementOf(value: Json | undefined): JsonObject {
  if (isObject(value)) return spellNames(value);
  if (typeof value === 'string') return { value };
  throw badRequest('invalidValue', 'An element must be an object with a value.');
}

/** The parts an element must have to match `type eq "work"`: Entra names a missing element in this way. */
function chosenBy(filter: Filter): JsonObject {
  if (filter.op === 'eq') return { [spelling(filter.path)]: filter.value };
  if (filter.op === 'and') return Object.assign({}, ...filter.filters.map(chosenBy));
  return {};
}
