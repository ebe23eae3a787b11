/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json | undefined;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
