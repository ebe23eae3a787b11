import { isDeepStrictEqual } from 'node:util';
import type { scimSchemaRepo } from '@orchestrate/db';
import type { AuditFacts } from '#core/audit/record.ts';
import { type Attribute, findAttribute } from '../attributes.ts';
import { type Extension, extensionAt, toRegisteredExtension } from '../extensions.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { badRequest } from '../scim-error.ts';
import { spellAs, spellSubAttributes } from '../spell-names.ts';
import {
  hasSimpleType,
  invalidValueError,
  parseStoredAttributes,
  serialiseStoredAttributes,
  storedFacts,
  storedValue,
} from './stored-attributes.ts';

const isEmpty = (object: JsonObject) => Object.keys(object).length === 0;

/**
 * Returns a member's values of registered extensions by URN, omitting values that no longer match their schema.
 * @param stored `extensions` of the member's stored attributes
 */
export function validExtensionValues(extensions: readonly Extension[], stored: Json | undefined): JsonObject {
  const fitting: JsonObject = {};
  if (!isObject(stored)) return fitting;
  for (const { urn, attributes } of extensions) {
    const values = stored[urn];
    const parts = isObject(values) ? fittingParts(attributes, values) : {};
    if (!isEmpty(parts)) fitting[urn] = parts;
  }
  return fitting;
}

/**
 * Returns a member's stored attributes as JSON for the column, omitting attributes that violate the organisation's
 * schemas.
 */
export function withoutInvalidExtensions(
  text: string | null,
  schemas: readonly scimSchemaRepo.ScimSchemaRow[],
): string | null {
  const { extensions, ...attributes } = parseStoredAttributes(text);
  const fitting = validExtensionValues(schemas.map(toRegisteredExtension), extensions);
  if (isDeepStrictEqual(extensions ?? {}, fitting)) return text;
  return serialiseStoredAttributes(isEmpty(fitting) ? attributes : { ...attributes, extensions: fitting });
}

function fittingParts(attributes: readonly Attribute[], object: JsonObject): JsonObject {
  const parts: JsonObject = {};
  for (const attribute of attributes) {
    const value = Object.hasOwn(object, attribute.name) ? object[attribute.name] : undefined;
    const fitting = value === undefined ? undefined : fittingValue(attribute, value);
    if (fitting !== undefined) parts[attribute.name] = fitting;
  }
  return parts;
}

function fittingValue(attribute: Attribute, value: Json): Json | undefined {
  if (!attribute.multiValued) return fittingOne(attribute, value);
  if (!Array.isArray(value)) return undefined;
  const elements = value.map((element) => fittingOne(attribute, element)).filter((element) => element !== undefined);
  return elements.length > 0 ? elements : undefined;
}

function fittingOne({ type, subAttributes = [] }: Attribute, value: Json): Json | undefined {
  if (type !== 'complex') return hasSimpleType(type, value) ? value : undefined;
  const parts = isObject(value) ? fittingParts(subAttributes, value) : {};
  return isEmpty(parts) ? undefined : parts;
}

/**
 * Returns the registered extensions' values in a request, by URN. Unchanged values aren't validated again, because
 * rules added later must not prevent disabling a user.
 * @param before current values by URN, such as the user's resource
 * @throws ScimError invalidValue; mutability
 */
export function readExtensions(extensions: readonly Extension[], user: JsonObject, before: JsonObject): JsonObject {
  const extended: JsonObject = {};
  for (const extension of extensions) {
    const had = before[extension.urn];
    const values = valuesOf(extension, inputOf(extension, user), isObject(had) ? had : {});
    if (!isEmpty(values)) extended[extension.urn] = values;
  }
  return extended;
}

/**
 * Returns an extension's values, which a request can list under the URN or under full names such as
 * `urn:example:2.0:User:costCode`.
 */
function inputOf(extension: Extension, user: JsonObject): JsonObject {
  const { urn, attributes } = extension;
  const input: JsonObject = {};
  for (const [name, value] of Object.entries(user)) {
    const found = extensionAt([extension], name);
    if (!found || value === undefined || value === null) continue;
    const known = findAttribute(attributes, found.rest);
    if (known) input[known.name] = spellSubAttributes(known, value);
    else if (found.rest === '' && !isObject(value))
      throw invalidValueError(urn, 'it must be an object with attributes');
    else if (found.rest === '' && isObject(value)) Object.assign(input, spellAs(attributes, value));
  }
  return input;
}

function valuesOf({ urn, attributes }: Extension, input: JsonObject, before: JsonObject): JsonObject {
  const values: JsonObject = {};
  for (const attribute of attributes) {
    const path = `${urn}:${attribute.name}`;
    const [value, had] = [input[attribute.name], before[attribute.name]];
    const isSame = had !== undefined && isDeepStrictEqual(value, had);
    const stored = isSame ? had : storedValue(attribute, value, path);
    const next = attribute.mutability === 'immutable' && had !== undefined ? unchanged(stored, had, path) : stored;
    if (next !== undefined) values[attribute.name] = next;
  }
  const missing = attributes.find(
    ({ name, required }) => required && values[name] === undefined && (isEmpty(before) || before[name] !== undefined),
  );
  if (missing && !isEmpty(values)) throw invalidValueError(`${urn}:${missing.name}`, 'a value is required');
  return values;
}

/**
 * Requires an immutable value to equal the current value, or to be omitted, which keeps the current value (RFC 7644
 * §3.5.1).
 */
function unchanged(next: Json | undefined, had: Json, path: string): Json {
  if (next === undefined || isDeepStrictEqual(next, had)) return had;
  throw immutableError(path);
}

export const immutableError = (path: string) =>
  badRequest('mutability', `${path} is immutable and already has a value.`);

/** Returns stored extension values by full name for the audit trail. */
export const extensionFacts = (stored: Json | undefined): AuditFacts =>
  Object.assign(
    {},
    ...Object.entries(isObject(stored) ? stored : {}).map(([urn, values]) =>
      isObject(values) ? storedFacts(values, `${urn}:`) : {},
    ),
  );
