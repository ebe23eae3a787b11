import { isDeepStrictEqual } from 'node:util';
import type { scimSchemaRepo } from '@orchestrate/db';
import type { AuditFacts } from '#core/audit/record.ts';
import { type Attribute, attributeNamed } from '../attributes.ts';
import { type Extension, extensionAt, registered } from '../extensions.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { badRequest } from '../scim-error.ts';
import { spellAs, spellPartsOf } from '../spell-names.ts';
import { isOfType, parseStored, serializeStored, storedFacts, storedValue, wrong } from './stored-attributes.ts';

const isEmpty = (object: JsonObject) => Object.keys(object).length === 0;

/**
 * Returns a member's values of registered extensions by URN, without those that no longer match their schema.
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
 * Returns a member's stored attributes as JSON for the column, without those that violate the organisation's schemas.
 */
export function withoutInvalidExtensions(
  text: string | null,
  schemas: readonly scimSchemaRepo.ScimSchemaRow[],
): string | null {
  const { extensions, ...kept } = parseStored(text);
  const fitting = validExtensionValues(schemas.map(registered), extensions);
  if (isDeepStrictEqual(extensions ?? {}, fitting)) return text;
  return serializeStored(isEmpty(fitting) ? kept : { ...kept, extensions: fitting });
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
  if (type !== 'complex') return isOfType(type, value) ? value : undefined;
  const parts = isObject(value) ? fittingParts(subAttributes, value) : {};
  return isEmpty(parts) ? undefined : parts;
}

/**
 * Returns the values of registered extensions in a request, by URN. Unchanged values aren't validated again, so that
 * rules added later don't prevent disabling a user.
 * @param before the current values by URN, such as the user's resource
 * @throws ScimError invalidValue; mutability
 */
export function readExtensions(extensions: readonly Extension[], user: JsonObject, before: JsonObject): JsonObject {
  const said: JsonObject = {};
  for (const extension of extensions) {
    const had = before[extension.urn];
    const values = valuesOf(extension, saidOf(extension, user), isObject(had) ? had : {});
    if (!isEmpty(values)) said[extension.urn] = values;
  }
  return said;
}

/** Returns the values of one extension, under its URN or full names such as `urn:example:2.0:User:costCode`. */
function saidOf(extension: Extension, user: JsonObject): JsonObject {
  const { urn, attributes } = extension;
  const said: JsonObject = {};
  for (const [name, value] of Object.entries(user)) {
    const found = extensionAt([extension], name);
    if (!found || value === undefined || value === null) continue;
    const known = attributeNamed(attributes, found.rest);
    if (known) said[known.name] = spellPartsOf(known, value);
    else if (found.rest === '' && !isObject(value)) throw wrong(urn, 'it must be an object with attributes');
    else if (found.rest === '' && isObject(value)) Object.assign(said, spellAs(attributes, value));
  }
  return said;
}

function valuesOf({ urn, attributes }: Extension, said: JsonObject, before: JsonObject): JsonObject {
  const values: JsonObject = {};
  for (const attribute of attributes) {
    const path = `${urn}:${attribute.name}`;
    const [value, had] = [said[attribute.name], before[attribute.name]];
    const isSame = had !== undefined && isDeepStrictEqual(value, had);
    const kept = isSame ? had : storedValue(attribute, value, path);
    const next = attribute.mutability === 'immutable' && had !== undefined ? unchanged(kept, had, path) : kept;
    if (next !== undefined) values[attribute.name] = next;
  }
  const missing = attributes.find(
    ({ name, required }) => required && values[name] === undefined && (isEmpty(before) || before[name] !== undefined),
  );
  if (missing && !isEmpty(values)) throw wrong(`${urn}:${missing.name}`, 'a value is required');
  return values;
}

/** RFC 7644 §3.5.1: an immutable value in a request must equal the current one; an omitted one is kept. */
function unchanged(kept: Json | undefined, had: Json, path: string): Json {
  if (kept === undefined || isDeepStrictEqual(kept, had)) return had;
  throw immutable(path);
}

export const immutable = (path: string) => badRequest('mutability', `${path} is immutable and already has a value.`);

/** Returns stored extension values for the audit trail, by their full names. */
export const extensionFacts = (stored: Json | undefined): AuditFacts =>
  Object.assign(
    {},
    ...Object.entries(isObject(stored) ? stored : {}).map(([urn, values]) =>
      isObject(values) ? storedFacts(values, `${urn}:`) : {},
    ),
  );
