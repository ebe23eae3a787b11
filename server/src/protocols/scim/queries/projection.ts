import { attributeNamed, ENTERPRISE_ATTRIBUTES, ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from '../attributes.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { badRequest } from '../scim-error.ts';

/** Which attributes are requested (RFC 7644 §3.9). */
export type Projection = { only: ReadonlySet<string> } | { without: ReadonlySet<string> } | undefined;

const ALWAYS = new Set(['schemas', 'id']);

/** @throws ScimError invalidValue where both are given */
export function readProjection(query: URLSearchParams): Projection {
  const only = namesIn(query.get('attributes'));
  const without = namesIn(query.get('excludedAttributes'));
  if (only && without) throw badRequest('invalidValue', 'Send either attributes or excludedAttributes, not both.');
  if (only) return { only };
  return without && { without };
}

const CORE = [USER_SCHEMA, GROUP_SCHEMA].map((urn) => `${urn.toLowerCase()}:`);
const ENTERPRISE = ENTERPRISE_SCHEMA.toLowerCase();

function namesIn(text: string | null): ReadonlySet<string> | undefined {
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
    .map((name) => name.slice(CORE.find((urn) => name.startsWith(urn))?.length ?? 0))
    .map(keyOf);
  return names.length > 0 ? new Set(names) : undefined;
}

/** The names on the way to an attribute, joined by `/`: the attributes of an extension are one level deeper. */
function keyOf(name: string): string {
  if (name.startsWith(`${ENTERPRISE}:`)) {
    return `${ENTERPRISE}/${name.slice(ENTERPRISE.length + 1).replace('.', '/')}`;
  }
  const [head = ''] = name.split('.');
  // Without its schema an attribute of the extension is meant as well, as in filters and paths.
  const isExtended = !name.startsWith(ENTERPRISE) && attributeNamed(ENTERPRISE_ATTRIBUTES, head) !== undefined;
  if (isExtended) return `${ENTERPRISE}/${name.replace('.', '/')}`;
  return name.startsWith(ENTERPRISE) ? name : name.replace('.', '/');
}

/** Whether an attribute is requested, so that expensive ones need not be computed. */
export function isAskedFor(projection: Projection, attribute: string): boolean {
  const name = attribute.toLowerCase();
  if (!projection) return true;
  if ('without' in projection) return !projection.without.has(name);
  return [...projection.only].some((one) => one === name || one.startsWith(`${name}/`));
}

export function project(resource: JsonObject, projection: Projection): JsonObject {
  if (!projection) return resource;
  return narrowed(resource, projection, '');
}

function narrowed(object: JsonObject, projection: Exclude<Projection, undefined>, within: string): JsonObject {
  const kept: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    const key = `${within}${name.toLowerCase()}`;
    const parts = (one: Json): Json => (isObject(one) ? narrowed(one, projection, `${key}/`) : one);
    const inParts = Array.isArray(value) ? value.map(parts) : value === undefined ? value : parts(value);
    if (within === '' && ALWAYS.has(name)) kept[name] = value;
    else if ('without' in projection) {
      if (!projection.without.has(key)) kept[name] = inParts;
    } else if (projection.only.has(key)) kept[name] = value;
    else if (isAskedFor(projection, key)) kept[name] = inParts;
  }
  return kept;
}
