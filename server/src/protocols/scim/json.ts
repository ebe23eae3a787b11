/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json | undefined;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Maximum number of attributes per object. A user has about a hundred, including registered extensions. */
export const OBJECT_MAX = 1_000;

/**
 * Returns true if any nested object exceeds `OBJECT_MAX`. Attributes are limited because each costs more than a
 * character of text.
 */
export function hasLargeObject(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(hasLargeObject);
  if (!isObject(value)) return false;
  const parts = Object.values(value);
  return parts.length > OBJECT_MAX || parts.some(hasLargeObject);
}

/** Returns a field's value, ignoring the case of its name (RFC 7643 §2.1). */
export function fieldOf(object: JsonObject, name: string): Json | undefined {
  const lower = name.toLowerCase();
  const key = Object.keys(object).find((known) => known.toLowerCase() === lower);
  return key === undefined ? undefined : object[key];
}

/** Returns true if an object declares a schema, ignoring case (RFC 7643 §2.1). */
export function hasSchema(object: JsonObject, urn: string): boolean {
  const schemas = fieldOf(object, 'schemas');
  return Array.isArray(schemas) && schemas.some((one) => String(one).toLowerCase() === urn.toLowerCase());
}

/** Unwraps a single-valued attribute that some directories send as a list. Returns null for an empty list. */
export const unwrapList = (value: Json | undefined): Json | undefined =>
  Array.isArray(value) && value.length <= 1 ? (value[0] ?? null) : value;
