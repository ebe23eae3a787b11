import { isDeepStrictEqual } from 'node:util';
import { isJson, type Json } from './json-schema-of.ts';

const LOCAL = '#/$defs/';
/** Zod's name for a recursive schema. The only one is `z.json()`, and recursive types break generators. */
const NAMELESS = /^__schema\d+$/;
const ANY = { description: 'Any JSON value.' };

/**
 * Moves the definitions within schemas (`$defs`) to the components, where references such as `#/$defs/x` resolve in
 * the whole document (OpenAPI 3.1.1 §4.3).
 * @throws if one name has two definitions
 */
export function hoistDefinitions<D extends { components: { schemas: Json } }>(document: D): D {
  const hoisted: Json = {};

  function walk(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => walk(item));
    if (!isJson(value)) return value;
    const { $defs, ...rest } = value;
    for (const [name, definition] of Object.entries(isJson($defs) ? $defs : {})) hoist(name, definition);
    if (typeof rest.$ref === 'string' && NAMELESS.test(rest.$ref.replace(LOCAL, ''))) return ANY;
    return Object.fromEntries(
      Object.entries(rest).map(([key, part]) => [key, key === '$ref' ? globally(part) : walk(part)]),
    );
  }

  function hoist(name: string, definition: unknown): void {
    if (NAMELESS.test(name)) return;
    const walked = walk(definition);
    hoisted[name] ??= walked;
    if (!isDeepStrictEqual(hoisted[name], walked)) throw new Error(`Two schemas of the reference are called ${name}.`);
  }

  function globally(reference: unknown): unknown {
    if (typeof reference !== 'string' || !reference.startsWith(LOCAL)) return reference;
    return `#/components/schemas/${reference.slice(LOCAL.length)}`;
  }

  const walked = walk(document) as D;
  return { ...walked, components: { ...walked.components, schemas: { ...walked.components.schemas, ...hoisted } } };
}
