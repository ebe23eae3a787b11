import { hiddenCharacter, LIMITS } from '@orchestrate/shared';
import type { AuditFacts } from '#core/audit/record.ts';
import {
  type Attribute,
  ENTERPRISE_SCHEMA,
  findAttribute,
  STORED_ATTRIBUTES,
  STORED_ENTERPRISE,
  STORED_NAME_PARTS,
} from '../attributes.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { badRequest } from '../scim-error.ts';

/** Maximum number of values per attribute of a user. */
export const ELEMENTS_MAX = 50;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Returns the user's attributes that have no column, with the spelling used in the schemas. @throws ScimError
 * invalidValue
 */
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
 * Returns a value in its stored form. Returns undefined for an empty list or string, which means unassigned (RFC 7643
 * §2.5).
 */
export function storedValue(attribute: Attribute, value: Json | undefined, path: string): Json | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (!attribute.multiValued) return storedElement(attribute, value, path);
  const given = Array.isArray(value) ? value : [value];
  if (given.length > ELEMENTS_MAX) throw invalidValueError(path, `at most ${ELEMENTS_MAX} values`);
  const elements = given.flatMap((element) => {
    // Some directories send every list element as an object, so use its `value`.
    const inner = attribute.type !== 'complex' && isObject(element) ? element.value : undefined;
    const one = storedElement(attribute, inner ?? element, path);
    return one === undefined ? [] : [one];
  });
  if (elements.filter((element) => isObject(element) && element.primary === true).length > 1) {
    throw invalidValueError(path, 'at most one value can be primary');
  }
  return elements.length > 0 ? elements : undefined;
}

function storedElement(attribute: Attribute, value: Json, path: string): Json | undefined {
  const { type, subAttributes = [] } = attribute;
  if (type === 'complex') {
    if (attribute.isStrict && !isObject(value) && !findAttribute(subAttributes, 'value')) {
      throw invalidValueError(path, 'it must be an object');
    }
    const parts = partsOf(subAttributes, isObject(value) ? value : { value }, `${path}.`);
    if (Object.keys(parts).length === 0) return undefined;
    const missing = subAttributes.find(({ name, required }) => required && parts[name] === undefined);
    if (missing) throw invalidValueError(`${path}.${missing.name}`, 'a value is required');
    return parts;
  }
  if (type === 'boolean') {
    // Entra's legacy dialect writes "True".
    const text = String(value).toLowerCase();
    if (text !== 'true' && text !== 'false') throw invalidValueError(path, 'it must be true or false');
    return text === 'true';
  }
  const trimmed = typeof value === 'string' ? value.trim() : value;
  if (trimmed === '' || trimmed === null) return undefined;
  if (!hasSimpleType(type, trimmed)) throw invalidValueError(path, EXPECTED[type]);
  if (typeof trimmed !== 'string') return trimmed;
  const hidden = hiddenCharacter(trimmed.replace(/[\r\n\t]/g, ' '));
  if (hidden) throw invalidValueError(path, hidden);
  return attribute.isStrict ? canonicalOf(attribute, trimmed, path) : trimmed;
}

const EXPECTED = {
  string: 'it must be a string',
  reference: 'it must be a string',
  integer: 'it must be an integer',
  decimal: 'it must be a number',
  dateTime: 'it must be a date and time, e.g. 2026-01-31T08:00:00Z',
  binary: 'it must be base64',
} as const;

/** dateTime format of XML Schema (RFC 7643 §2.3.5). */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

/** Returns true if a value matches a simple type (RFC 7643 §2.3). */
export function hasSimpleType(type: Exclude<Attribute['type'], 'complex'>, value: Json): boolean {
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
  if (found === undefined) throw invalidValueError(path, `it must be one of ${canonicalValues.join(', ')}`);
  return found;
}

/**
 * Serialises attributes for the database column, or returns null if there are none. @throws ScimError invalidValue if
 * they are too large
 */
export function serialiseStoredAttributes(attributes: JsonObject): string | null {
  if (Object.keys(attributes).length === 0) return null;
  const text = JSON.stringify(attributes);
  if (text.length <= LIMITS.directoryAttributes) return text;
  throw badRequest(
    'invalidValue',
    `A user's additional attributes can have at most ${LIMITS.directoryAttributes} characters in total.`,
  );
}

/**
 * Returns a user's stored attributes by name for the audit trail, with lists as lines of text.
 * @param prefix added before each name; sub-attribute names then include the attribute name
 */
export function storedFacts(attributes: JsonObject, prefix = ''): AuditFacts {
  const facts: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (Array.isArray(value)) facts[`${prefix}${name}`] = value.map(lineOf);
    else if (isObject(value)) Object.assign(facts, storedFacts(value, prefix && `${prefix}${name}.`));
    else if (value !== undefined) facts[`${prefix}${name}`] = String(value);
  }
  return facts;
}

/** Formats a list element, e.g. `work: Hollywood, CA`. */
function lineOf(element: Json): string {
  if (!isObject(element)) return String(element);
  const { type, primary, ...parts } = element;
  const line = Object.values(parts).join(', ');
  return `${type === undefined ? '' : `${type}: `}${line}${primary === true ? ' (primary)' : ''}`;
}

/** Parses the stored attributes of a database column. */
export function parseStoredAttributes(text: string | null): JsonObject {
  const parsed: unknown = text === null ? {} : JSON.parse(text);
  return isObject(parsed) ? parsed : {};
}

export const invalidValueError = (path: string, why: string) => badRequest('invalidValue', `${path}: ${why}.`);
