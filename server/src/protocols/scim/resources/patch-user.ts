import { isDeepStrictEqual } from 'node:util';
import {
  type Attribute,
  COMMON_ATTRIBUTES,
  exactPathsOf,
  findAttribute,
  IGNORED_ATTRIBUTES,
  USER_ATTRIBUTES,
} from '../attributes.ts';
import type { Extension } from '../extensions.ts';
import { isObject, type Json, type JsonObject, unwrapList } from '../json.ts';
import { countComparisons, type Filter } from '../queries/filter.ts';
import { matchesFilter } from '../queries/matches-filter.ts';
import { badRequest } from '../scim-error.ts';
import { spellAs, spellNames } from '../spell-names.ts';
import { type PatchOperation, type PatchPath, parsePath } from './patch-request.ts';
import { ELEMENTS_MAX, invalidValueError } from './stored-attributes.ts';
import { immutableError } from './stored-extensions.ts';

/** Maximum number of path comparisons per request. Every value of a list needs one comparison. */
const MAX_PATH_COMPARISONS = 2_000;

/**
 * Applies operations to a user and returns the resulting resource.
 * @param extensions the organisation's registered extensions
 * @throws ScimError invalidPath, noTarget, mutability …
 */
export function patchUser(
  user: JsonObject,
  operations: readonly PatchOperation[],
  extensions: readonly Extension[],
): JsonObject {
  const patched = structuredClone(user);
  let comparisons = 0;
  function pathOf(name: string): PatchPath {
    const path = parsePath(name, extensions);
    comparisons += path.filter ? countComparisons(path.filter) : 0;
    if (comparisons <= MAX_PATH_COMPARISONS) return path;
    throw badRequest('tooMany', `The paths need more than ${MAX_PATH_COMPARISONS} comparisons.`);
  }
  for (const operation of operations) {
    if (operation.path !== undefined) applyAt(patched, pathOf(operation.path), operation);
    else applyEach(patched, operation, pathOf);
  }
  return patched;
}

/**
 * Applies an operation without a path, whose value is an object of attributes. Entra uses full paths as the attribute
 * names.
 */
function applyEach(user: JsonObject, operation: PatchOperation, pathOf: (name: string) => PatchPath): void {
  if (!isObject(operation.value)) throw badRequest('invalidValue', 'The value must be an object if there is no path.');
  for (const [name, value] of Object.entries(operation.value)) {
    if (name.toLowerCase() === 'schemas' || value === undefined) continue;
    // Ignore the resource's own ID, which Okta includes.
    if (name.toLowerCase() === 'id' && value === user.id) continue;
    applyAt(user, pathOf(name), { ...operation, value });
  }
}

function applyAt(user: JsonObject, path: PatchPath, operation: PatchOperation): void {
  const { extension } = path;
  if (extension && path.attribute === '') {
    if (!isCleared(operation)) applyEach(user, operation, (name) => ({ ...parsePath(name), extension }));
    else {
      const stays = extension.attributes.find((known) => isFixed(known, user[extension.urn]));
      if (stays) throw immutableError(`${extension.urn}:${stays.name}`);
      delete user[extension.urn];
    }
    return;
  }
  const known = definitionOf(path);
  if (!known) return;
  const isValueOfList = known.multiValued && known.type !== 'complex' && path.sub === 'value';
  const isWhole = path.sub === undefined || isValueOfList;
  const written = isWhole ? known : findAttribute(known.subAttributes ?? [], path.sub ?? '');
  if (known.mutability === 'readOnly') throw badRequest('mutability', `${known.name} is read-only.`);
  if (!written && (known.isStrict || !USUAL_PARTS.has(path.sub ?? ''))) {
    throw badRequest('invalidPath', `${known.name} has no sub-attribute ${path.sub}.`);
  }
  // Directories also send derived values, such as a formatted name. These are not stored.
  if (!written || written.mutability === 'readOnly') return;
  if (known.required && path.sub === undefined && !path.filter && isCleared(operation)) {
    throw badRequest('mutability', `Users must have ${known.name}.`);
  }
  const owner = extension ? extensionOf(user, extension) : user;
  const isStaying = isFixed(known, owner);
  const change: Change = {
    known,
    filter: path.filter,
    sub: written === known ? path.sub : written.name,
    spell: known.isStrict && known.subAttributes ? (parts) => spellAs(known.subAttributes ?? [], parts) : spellNames,
    operation,
  };
  if (known.multiValued) applyToList(owner, change);
  else if (path.filter) throw badRequest('invalidPath', `${known.name} has a single value and cannot be filtered.`);
  else if (known.type === 'complex') applyToParts(owner, change);
  else if (isCleared(operation)) delete owner[known.name];
  else owner[known.name] = operation.value;
  if (isStaying && !isFixed(known, owner)) throw immutableError(known.name);
}

/** Common sub-attributes of list elements (RFC 7643 §2.4). */
const USUAL_PARTS: ReadonlySet<string> = new Set(['type', 'primary', 'display', 'value', '$ref']);

interface Change {
  known: Attribute;
  filter: Filter | undefined;
  /** Sub-attribute to write; undefined for the whole attribute. */
  sub: string | undefined;
  /** Corrects sub-attribute names to their defined spelling. */
  spell: (parts: JsonObject) => JsonObject;
  operation: PatchOperation;
}

/**
 * Returns the definition of an attribute, or undefined if it is unsupported. @throws ScimError invalidPath for an
 * attribute users don't have
 */
function definitionOf({ extension, attribute }: PatchPath): Attribute | undefined {
  const attributes = extension?.attributes ?? [...COMMON_ATTRIBUTES, ...USER_ATTRIBUTES];
  const known = findAttribute(attributes, attribute);
  if (!known && !IGNORED_ATTRIBUTES.has(attribute.toLowerCase()))
    throw badRequest('invalidPath', `Users have no attribute ${attribute}.`);
  return known;
}

function extensionOf(user: JsonObject, { urn }: Extension): JsonObject {
  const found = user[urn];
  if (isObject(found)) return found;
  const made: JsonObject = {};
  user[urn] = made;
  return made;
}

const isCleared = ({ op, value }: PatchOperation): boolean => op === 'remove' || value === null;

/**
 * Returns true if an attribute is immutable and already has a value. @param owner object that contains the attribute
 */
function isFixed({ name, mutability }: Attribute, owner: Json | undefined): boolean {
  const value = isObject(owner) && Object.hasOwn(owner, name) ? owner[name] : undefined;
  const isNothing = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  return mutability === 'immutable' && !isNothing;
}

function applyToParts(owner: JsonObject, { known, sub, spell, operation }: Change): void {
  const { name } = known;
  const found = owner[name];
  const parts = isObject(found) ? found : {};
  if (sub !== undefined) {
    if (isCleared(operation)) delete parts[sub];
    else parts[sub] = operation.value;
    owner[name] = parts;
    return;
  }
  // Entra's legacy dialect sends a manager as a list with one element, while its current dialect sends a bare ID.
  const value = known.isStrict ? operation.value : unwrapList(operation.value);
  if (isCleared({ ...operation, value })) delete owner[name];
  else if (isObject(value)) owner[name] = { ...parts, ...spell(value) };
  else owner[name] = hasValue(known) ? { ...parts, value } : value;
}

/**
 * Applies a change to a list. Simple values are treated as objects with a `value`, which is how filters select them.
 */
function applyToList(owner: JsonObject, change: Change): void {
  const { name, type } = change.known;
  const found = Array.isArray(owner[name]) ? owner[name] : [];
  const elements = type === 'complex' ? found.filter(isObject) : found.map((value) => ({ value }));
  const changed = fewOf(name, listAfter(elements, change));
  const isBare = (element: JsonObject) => type !== 'complex' && 'value' in element;
  owner[name] = changed.map((element) => (isBare(element) ? (element.value ?? null) : element));
}

/**
 * Limits the number of values because every pair of values is compared. Thousands of values would block the portal
 * for minutes.
 */
function fewOf<Value>(name: string, values: Value[]): Value[] {
  if (values.length > ELEMENTS_MAX) throw invalidValueError(name, `at most ${ELEMENTS_MAX} values`);
  return values;
}

function listAfter(list: JsonObject[], change: Change): JsonObject[] {
  const { known, filter, sub, operation, spell } = change;
  const exact = exactPathsOf(known.subAttributes ?? [{ ...known, name: 'value' }]);
  const chosen = filter ? list.filter((element) => matchesFilter(element, filter, { exact })) : list;
  if (sub === undefined && !filter) return changedList(list, change);
  if (operation.op === 'remove') {
    if (sub === undefined) return list.filter((element) => !chosen.includes(element));
    for (const element of chosen) delete element[sub];
    return list;
  }
  const parts = sub === undefined ? elementOf(operation.value, change) : { [sub]: operation.value };
  if (chosen.length === 0) {
    if (filter && operation.op === 'replace' && !operation.mayBeMissing) {
      throw badRequest('noTarget', `No value of ${known.name} matches the filter.`);
    }
    const made = { ...(filter && spell(chosenBy(filter))), ...parts };
    return withOnePrimary([...list, made], [made]);
  }
  // Replacing a whole value removes its other sub-attributes (RFC 7644 §3.5.2.3).
  const isWhole = sub === undefined && operation.op === 'replace';
  const changed = new Map(chosen.map((element) => [element, isWhole ? parts : { ...element, ...parts }]));
  return withOnePrimary(
    list.map((element) => changed.get(element) ?? element),
    parts.primary === undefined ? [] : [...changed.values()],
  );
}

/** Clears `primary` on the existing values if a new value is primary (RFC 7644 §3.5.2). */
function withOnePrimary(list: JsonObject[], fresh: readonly JsonObject[]): JsonObject[] {
  if (!fresh.some(({ primary }) => isTrue(primary))) return list;
  return list.map((element) =>
    fresh.includes(element) || !isTrue(element.primary) ? element : { ...element, primary: false },
  );
}

/** Entra's legacy dialect writes "True". */
const isTrue = (value: Json | undefined): boolean => String(value).toLowerCase() === 'true';

function changedList(list: JsonObject[], change: Change): JsonObject[] {
  const { op, value } = change.operation;
  const elements = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  const given = fewOf(change.known.name, elements).map((element) => elementOf(element, change));
  if (op === 'replace') return given;
  if (op === 'remove') {
    return given.length === 0 ? [] : list.filter((element) => !given.some((gone) => isSameValue(gone, element)));
  }
  const added = given.filter((one) => !list.some((element) => isDeepStrictEqual(element, one)));
  return withOnePrimary([...list, ...added], added);
}

/** Compares elements by `value`, or as a whole if they have none. */
const isSameValue = (a: JsonObject, b: JsonObject): boolean =>
  a.value === undefined ? isDeepStrictEqual(a, b) : isDeepStrictEqual(a.value, b.value);

/** Returns true if a bare value can replace an object with that `value`. */
const hasValue = ({ isStrict, type, subAttributes = [] }: Attribute): boolean =>
  !isStrict || type !== 'complex' || findAttribute(subAttributes, 'value') !== undefined;

function elementOf(value: Json | undefined, { known, spell }: Change): JsonObject {
  if (isObject(value)) return spell(value);
  if (hasValue(known) && value !== undefined && value !== null && !Array.isArray(value)) return { value };
  throw badRequest('invalidValue', `Elements of ${known.name} must be objects with a value.`);
}

/**
 * Returns the attributes required by a filter such as `type eq "work"`, which Entra uses to select an element that
 * doesn't exist yet.
 */
function chosenBy(filter: Filter): JsonObject {
  if (filter.op === 'eq') return { [filter.path]: filter.value };
  if (filter.op === 'and') return Object.assign({}, ...filter.filters.map(chosenBy));
  return {};
}
