import { hiddenCharacter, LIMITS } from '@orchestrate/shared';
import type { AuditFacts } from '#core/audit/record.ts';
import {
  type Attribute,
  attributeNamed,
  ENTERPRISE_SCHEMA,
  STORED_ATTRIBUTES,
  STORED_ENTERPRISE,
  STORED_NAME_PARTS,
} from '../attributes.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { badRequest } from '../scim-error.ts';

/** Maximum number of values of one attribute of a user. */
export const ELEMENTS_MAX = 50;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Returns the user's attributes without a column, spelt as in the schemas. @throws ScimError invalidValue */
export function storedAttributesOf(user: JsonObject): JsonObject {
  const { name, [ENTERPRISE_SCHEMA]: enterprise } = user;
  return {
    ...partsOf(STORED_ATTRIBUTES, user, ''),
    ...within('name', isObject(name) ? partsOf(STORED_NAME_PARTS, name, 'name.') : {}),
    ...within(
      'enterprise',
      isObject(enterprise) ? partsOf(STORED_ENTERPRISE, enterprise, `${ENTERPRISE_SCHEMA}:`) : {},
    ),
  };
}

const within = (name: string, parts: JsonObject): JsonObject =>
  Object.keys(parts).length > 0 ? { [name]: parts } : {};

function partsOf(attributes: readonly Attribute[], object: JsonObject, path: string): JsonObject {
  const parts: JsonObject = {};
  for (const attribute of attributes) {
    const value = storedValue(attribute, object[attribute.name], `${path}${attribute.name}`);
    if (value !== undefined) parts[attribute.name] = value;
  }
  return parts;
}

/**
 * Returns the stored form of a value; undefined for an empty list or string, which means unassigned (RFC 7643 §2.5).
 */
export function storedValue(attribute: Attribute, value: Json | undefined, path: string): Json | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (!attribute.multiValued) return keptOne(attribute, value, path);
  const given = Array.isArray(value) ? value : [value];
  if (given.length > ELEMENTS_MAX) throw wrong(path, `at most ${ELEMENTS_MAX} values`);
  const elements = given.flatMap((element) => {
    // Some directories send the elements of every list as objects.
    const inner = attribute.type !== 'complex' && isObject(element) ? element.value : undefined;
    const one = keptOne(attribute, inner ?? element, path);
    return one === undefined ? [] : [one];
  });
  if (elements.filter((element) => isObject(element) && element.primary === true).length > 1) {
    throw wrong(path, 'at most one value can be primary');
  }
  return elements.length > 0 ? elements : undefined;
}

function keptOne(attribute: Attribute, value: Json, path: string): Json | undefined {
  const { type, subAttributes = [] } = attribute;
  if (type === 'complex') {
    if (attribute.isStrict && !isObject(value) && !attributeNamed(subAttributes, 'value')) {
      throw wrong(path, 'it must be an object');
    }
    const parts = partsOf(subAttributes, isObject(value) ? value : { value }, `${path}.`);
    if (Object.keys(parts).length === 0) return undefined;
    const missing = subAttributes.find(({ name, required }) => required && parts[name] === undefined);
    if (missing) throw wrong(`${path}.${missing.name}`, 'a value is required');
    return parts;
  }
  if (type === 'boolean') {
    // Entra's legacy dialect writes "True".
    const text = String(value).toLowerCase();
    if (text !== 'true' && text !== 'false') throw wrong(path, 'it must be true or false');
    return text === 'true';
  }
  const kept = typeof value === 'string' ? value.trim() : value;
  if (kept === '' || kept === null) return undefined;
  if (!isOfType(type, kept)) throw wrong(path, EXPECTED[type]);
  if (typeof kept !== 'string') return kept;
  const hidden = hiddenCharacter(kept.replace(/[\r\n\t]/g, ' '));
  if (hidden) throw wrong(path, hidden);
  return attribute.isStrict ? canonicalOf(attribute, kept, path) : kept;
}

const EXPECTED = {
  string: 'it must be a string',
  reference: 'it must be a string',
  integer: 'it must be an integer',
  decimal: 'it must be a number',
  dateTime: 'it must be a date and time, e.g. 2026-01-31T08:00:00Z',
  binary: 'base64 is expected',
} as const;

/** XML Schema's dateTime (RFC 7643 §2.3.5). */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

/** Returns true if a value has a simple type (RFC 7643 §2.3). */
export function isOfType(type: Exclude<Attribute['type'], 'complex'>, value: Json): boolean {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'decimal':
      return Number.isFinite(value);
    case 'dateTime':
      return typeof value === 'string' && DATE_TIME.test(value) && !Number.isNaN(Date.parse(value));
    case 'binary':
      return typeof value === 'string' && BASE64.test(value);
    default:
      return typeof value === 'string';
  }
}

function canonicalOf({ canonicalValues = [], caseExact }: Attribute, text: string, path: string): string {
  if (canonicalValues.length === 0) return text;
  const keyOf = (one: string) => (caseExact ? one : one.toLowerCase());
  const found = canonicalValues.find((one) => keyOf(one) === keyOf(text));
  if (found === undefined) throw wrong(path, `it must be one of ${canonicalValues.join(', ')}`);
  return found;
}

/**
 * Serialises attributes for the column; null if there are none. @throws ScimError invalidValue if they are too large
 */
export function serializeStored(kept: JsonObject): string | null {
  if (Object.keys(kept).length === 0) return null;
  const text = JSON.stringify(kept);
  if (text.length <= LIMITS.directoryAttributes) return text;
  throw badRequest(
    'invalidValue',
    `The additional attributes of a user can have at most ${LIMITS.directoryAttributes} characters.`,
  );
}

/**
 * Returns a user's stored attributes for the audit trail by name, lists as lines of text.
 * @param prefix precedes the names; names of sub-attributes then include that of their attribute
 */
export function storedFacts(kept: JsonObject, prefix = ''): AuditFacts {
  const facts: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(kept)) {
    if (Array.isArray(value)) facts[`${prefix}${name}`] = value.map(lineOf);
    else if (isObject(value)) Object.assign(facts, storedFacts(value, prefix && `${prefix}${name}.`));
    else if (value !== undefined) facts[`${prefix}${name}`] = String(value);
  }
  return facts;
}

/** Formats an element, e.g. `work: Hollywood, CA`. */
function lineOf(element: Json): string {
  if (!isObject(element)) return String(element);
  const { type, primary, ...parts } = element;
  const line = Object.values(parts).join(', ');
  return `${type === undefined ? '' : `${type}: `}${line}${primary === true ? ' (primary)' : ''}`;
}

/** Parses the column. */
export function parseStored(text: string | null): JsonObject {
  const kept: unknown = text === null ? {} : JSON.parse(text);
  return isObject(kept) ? kept : {};
}

export const wrong = (path: string, why: string) => badRequest('invalidValue', `${path}: ${why}.`);
