import { hiddenCharacter, LIMITS } from '@orchestrate/shared';
import type { AuditFacts } from '../../../core/audit/record.ts';
import { type Attribute, ENTERPRISE_SCHEMA, KEPT_ATTRIBUTES, KEPT_ENTERPRISE, KEPT_NAMES } from '../attributes.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { badRequest } from '../scim-error.ts';

const ELEMENTS_MAX = 50;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The attributes of a user, spelt as in the schemas, that have no column. @throws ScimError invalidValue */
export function keptOf(user: JsonObject): JsonObject {
  const { name, [ENTERPRISE_SCHEMA]: enterprise } = user;
  return {
    ...partsOf(KEPT_ATTRIBUTES, user, ''),
    ...within('name', isObject(name) ? partsOf(KEPT_NAMES, name, 'name.') : {}),
    ...within('enterprise', isObject(enterprise) ? partsOf(KEPT_ENTERPRISE, enterprise, `${ENTERPRISE_SCHEMA}:`) : {}),
  };
}

const within = (name: string, parts: JsonObject): JsonObject =>
  Object.keys(parts).length > 0 ? { [name]: parts } : {};

function partsOf(attributes: readonly Attribute[], object: JsonObject, path: string): JsonObject {
  const parts: JsonObject = {};
  for (const attribute of attributes) {
    const value = keptValue(attribute, object[attribute.name], `${path}${attribute.name}`);
    if (value !== undefined) parts[attribute.name] = value;
  }
  return parts;
}

/** Undefined for nothing: an empty list or text is none (RFC 7643 §2.5). */
function keptValue(attribute: Attribute, value: Json | undefined, path: string): Json | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (!attribute.multiValued) return keptOne(attribute, value, path);
  const given = Array.isArray(value) ? value : [value];
  if (given.length > ELEMENTS_MAX) throw wrong(path, `at most ${ELEMENTS_MAX} values`);
  const elements = given.flatMap((element) => {
    const one = keptOne(attribute, element, path);
    return one === undefined ? [] : [one];
  });
  if (elements.filter((element) => isObject(element) && element.primary === true).length > 1) {
    throw wrong(path, 'at most one value is the primary one');
  }
  return elements.length > 0 ? elements : undefined;
}

function keptOne({ type, subAttributes = [] }: Attribute, value: Json, path: string): Json | undefined {
  if (type === 'complex') {
    const parts = partsOf(subAttributes, isObject(value) ? value : { value }, `${path}.`);
    return Object.keys(parts).length > 0 ? parts : undefined;
  }
  if (type === 'boolean') {
    // Entra's older dialect writes "True".
    const text = String(value).toLowerCase();
    if (text !== 'true' && text !== 'false') throw wrong(path, 'true or false is expected');
    return text === 'true';
  }
  if (typeof value !== 'string') throw wrong(path, 'a text is expected');
  if (type === 'binary' && !BASE64.test(value)) throw wrong(path, 'base64 is expected');
  const hidden = hiddenCharacter(value.replace(/[\r\n\t]/g, ' '));
  if (hidden) throw wrong(path, hidden);
  return value.trim() || undefined;
}

/** As JSON for the column; null for nothing. @throws ScimError invalidValue where it is too large */
export function keptText(kept: JsonObject): string | null {
  if (Object.keys(kept).length === 0) return null;
  const text = JSON.stringify(kept);
  if (text.length <= LIMITS.directoryAttributes) return text;
  throw badRequest(
    'invalidValue',
    `The attributes of a user that the portal only keeps have at most ${LIMITS.directoryAttributes} characters.`,
  );
}

/** What is kept of a user, for the audit trail: each attribute by its name, lists as lines of text. */
export function keptFacts(kept: JsonObject): AuditFacts {
  const facts: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(kept)) {
    if (Array.isArray(value)) facts[name] = value.map(lineOf);
    else if (isObject(value)) Object.assign(facts, keptFacts(value));
    else if (value !== undefined) facts[name] = String(value);
  }
  return facts;
}

/** `work: Hollywood, CA`. */
function lineOf(element: Json): string {
  if (!isObject(element)) return String(element);
  const { type, primary, ...parts } = element;
  const line = Object.values(parts).join(', ');
  return `${type === undefined ? '' : `${type}: `}${line}${primary === true ? ' (primary)' : ''}`;
}

/** What the column holds. */
export function readKept(text: string | null): JsonObject {
  const kept: unknown = text === null ? {} : JSON.parse(text);
  return isObject(kept) ? kept : {};
}

const wrong = (path: string, why: string) => badRequest('invalidValue', `${path}: ${why}.`);
