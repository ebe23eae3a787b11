import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from '../attributes.ts';
import { isObject, type JsonObject } from '../json.ts';
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
    // Its attributes are one level deeper.
    .map((name) =>
      name.startsWith(`${ENTERPRISE}:`) ? `${ENTERPRISE}/${name.slice(ENTERPRISE.length + 1)}` : name.replace('.', '/'),
    );
  return names.length > 0 ? new Set(names) : undefined;
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
  const kept: JsonObject = {};
  for (const [name, value] of Object.entries(resource)) {
    const lower = name.toLowerCase();
    if (ALWAYS.has(name)) kept[name] = value;
    else if ('without' in projection) {
      if (!projection.without.has(lower))
        kept[name] = narrowed(value, (part) => !projection.without.has(`${lower}/${part}`));
    } else if (projection.only.has(lower)) kept[name] = value;
    else if (isAskedFor(projection, name))
      kept[name] = narrowed(value, (part) => projection.only.has(`${lower}/${part}`));
  }
  return kept;
}

function narrowed(value: JsonObject[string], isKept: (part: string) => boolean): JsonObject[string] {
  if (Array.isArray(value)) return value.map((element) => narrowed(element, isKept) ?? null);
  if (!isObject(value)) return value;
  const parts = Object.entries(value).filter(([name]) => isKept(name.toLowerCase()));
  return Object.fromEntries(parts);
}
