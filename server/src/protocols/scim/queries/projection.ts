import { type Attribute, findAttribute, GROUP_SCHEMA, USER_SCHEMA } from '../attributes.ts';
import { ENTERPRISE, type Extension, extensionAt } from '../extensions.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { badRequest } from '../scim-error.ts';

/** The requested attributes (RFC 7644 §3.9). `leadingTo` contains the ancestors of requested sub-attributes. */
export type Projection =
  | { only: ReadonlySet<string>; leadingTo: ReadonlySet<string> }
  | { without: ReadonlySet<string> }
  | undefined;

const ALWAYS = new Set(['schemas', 'id']);

/**
 * Parses the requested attributes.
 * @param extensions registered extensions, which can have attributes that are returned always or only on request
 * @throws ScimError invalidValue if both parameters are present
 */
export function readProjection(query: URLSearchParams, extensions: readonly Extension[] = []): Projection {
  const only = namesIn(query.get('attributes'), extensions);
  const without = namesIn(query.get('excludedAttributes'), extensions);
  if (only && without) throw badRequest('invalidValue', 'Send either attributes or excludedAttributes, not both.');
  const always = keysReturned(extensions, 'always');
  if (only) {
    const keys = [...only, ...always];
    return { only: new Set(keys), leadingTo: new Set(keys.flatMap(leadingTo)) };
  }
  const onRequest = keysReturned(extensions, 'request');
  if (!without && onRequest.length === 0) return undefined;
  // Excluding an extension also excludes its attributes, except attributes that are always returned.
  const keys = [...(without ?? []), ...onRequest].flatMap((key) =>
    always.some((alwaysKey) => alwaysKey.startsWith(`${key}/`)) ? keysOf(extensions, key) : [key],
  );
  return { without: new Set(keys.filter((key) => !always.some((alwaysKey) => `${key}/`.startsWith(`${alwaysKey}/`)))) };
}

/** Returns the keys of a key's ancestors. */
function leadingTo(key: string): string[] {
  const names = key.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Returns the keys of attributes with a given `returned` characteristic. */
const keysReturned = (extensions: readonly Extension[], how: Attribute['returned']): string[] =>
  extensions.flatMap(({ urn, attributes }) =>
    attributes.filter(({ returned }) => returned === how).map(({ name }) => `${urn}/${name}`.toLowerCase()),
  );

const keysOf = (extensions: readonly Extension[], key: string): string[] =>
  extensions
    .filter(({ urn }) => urn.toLowerCase() === key)
    .flatMap(({ attributes }) => attributes.map(({ name }) => `${key}/${name.toLowerCase()}`));

const CORE = [USER_SCHEMA, GROUP_SCHEMA].map((urn) => `${urn.toLowerCase()}:`);

function namesIn(text: string | null, extensions: readonly Extension[]): ReadonlySet<string> | undefined {
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
    .map((name) => name.slice(CORE.find((urn) => name.startsWith(urn))?.length ?? 0))
    .map((name) => keyOf(name, [ENTERPRISE, ...extensions]));
  return names.length > 0 ? new Set(names) : undefined;
}

/** Returns the names along an attribute's path, joined by `/`. Extension attributes are one level deeper. */
function keyOf(name: string, extensions: readonly Extension[]): string {
  const named = extensionAt(extensions, name);
  if (named) {
    const urn = named.extension.urn.toLowerCase();
    return named.rest === '' ? urn : `${urn}/${named.rest.replace('.', '/')}`;
  }
  const [head = ''] = name.split('.');
  // As in filters and paths, enterprise extension attributes can be named without the extension's URN.
  const isExtended = findAttribute(ENTERPRISE.attributes, head) !== undefined;
  return isExtended ? `${ENTERPRISE.urn.toLowerCase()}/${name.replace('.', '/')}` : name.replace('.', '/');
}

/** Returns true if an attribute is requested. Use it to skip computing expensive attributes. */
export function isRequested(projection: Projection, attribute: string): boolean {
  const name = attribute.toLowerCase();
  if (!projection) return true;
  if ('without' in projection) return !projection.without.has(name);
  return projection.only.has(name) || projection.leadingTo.has(name);
}

/** Returns a resource's requested attributes, and always `schemas` and `id`. */
export function project(resource: JsonObject, projection: Projection): JsonObject {
  if (!projection) return resource;
  return narrowed(resource, projection, '');
}

function narrowed(object: JsonObject, projection: Exclude<Projection, undefined>, within: string): JsonObject {
  const projected: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    const key = `${within}${name.toLowerCase()}`;
    const parts = (one: Json): Json => (isObject(one) ? narrowed(one, projection, `${key}/`) : one);
    const inParts = Array.isArray(value) ? value.map(parts) : value === undefined ? value : parts(value);
    if (within === '' && ALWAYS.has(name)) projected[name] = value;
    else if ('without' in projection) {
      if (!projection.without.has(key)) projected[name] = inParts;
    } else if (projection.only.has(key)) projected[name] = value;
    else if (isRequested(projection, key)) projected[name] = inParts;
  }
  return projected;
}
