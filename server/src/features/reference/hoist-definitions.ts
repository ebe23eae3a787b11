import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type Json } from '#platform/contract-comments.ts';

const LOCAL = '#/$defs/';
/**
 * Zod's name for an unnamed recursive schema. `z.json()` is the only such schema, and recursive types break code
 * generators.
 */
const NAMELESS = /^__schema\d+$/;
const ANY = { description: 'Any JSON value.' };

/**
 * Moves schema definitions (`$defs`) to the document's components, because references such as `#/$defs/x` resolve
 * against the whole document (OpenAPI 3.1.1 §4.3).
 * @throws if two definitions share a name
 */
export function hoistDefinitions<D extends { components: { schemas: Json } }>(document: D): D {
  const hoisted: Json = {};

  function walk(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => walk(item));
    if (!isJsonObject(value)) return value;
    const { $defs, ...rest } = value;
    for (const [name, definition] of Object.entries(isJsonObject($defs) ? $defs : {})) hoist(name, definition);
    if (typeof rest.$ref === 'string' && NAMELESS.test(rest.$ref.replace(LOCAL, ''))) return ANY;
    return Object.fromEntries(
      Object.entries(rest).map(([key, part]) => [key, key === '$ref' ? globally(part) : walk(part)]),
    );
  }

  function hoist(name: string, definition: unknown): void {
    if (NAMELESS.test(name)) return;
    const walked = walk(definition);
    hoisted[name] ??= walked;
    if (!isDeepStrictEqual(hoisted[name], walked))
      throw new Error(`Two schemas in the API reference are called ${name}.`);
  }

  function globally(reference: unknown): unknown {
    if (typeof reference !== 'string' || !reference.startsWith(LOCAL)) return reference;
    return `#/components/schemas/${reference.slice(LOCAL.length)}`;
  }

  const walked = walk(document) as D;
  return { ...walked, components: { ...walked.components, schemas: { ...walked.components.schemas, ...hoisted } } };
}
