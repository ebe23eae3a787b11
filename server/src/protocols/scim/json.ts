/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json | undefined;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Attributes of one object; a user has about a hundred, with those of registered extensions. */
export const OBJECT_MAX = 1_000;

/** Whether an object in there has more attributes than that: each costs more than a character of text. */
export function hasLargeObject(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(hasLargeObject);
  if (!isObject(value)) return false;
  const parts = Object.values(value);
  return parts.length > OBJECT_MAX || parts.some(hasLargeObject);
}

/** The value of this name, in whatever case it is written: names have none (RFC 7643 §2.1). */
export function fieldOf(object: JsonObject, name: string): Json | undefined {
  const lower = name.toLowerCase();
  const key = Object.keys(object).find((known) => known.toLowerCase() === lower);
  return key === undefined ? undefined : object[key];
}

/** Whether an object says that it has a schema, in whatever case: URNs of SCIM have none (RFC 7643 §2.1). */
export function hasSchema(object: JsonObject, urn: string): boolean {
  const schemas = fieldOf(object, 'schemas');
  return Array.isArray(schemas) && schemas.some((one) => String(one).toLowerCase() === urn.toLowerCase());
}

/** The value of an attribute that has one, which some directories send as a list; null for an empty list. */
export const withoutList = (value: Json | undefined): Json | undefined =>
  Array.isArray(value) && value.length <= 1 ? (value[0] ?? null) : value;
