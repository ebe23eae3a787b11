import { contract } from '@orchestrate/shared';
import { z } from 'zod';
import {
  attachComments,
  describeDefault,
  isJsonObject,
  type Json,
  withDescriptions,
} from '#platform/contract-comments.ts';

export type Direction = 'input' | 'output';
type Names = z.core.$ZodRegistry<{ id?: string }>;

/** Schema types that become named types. Strings and numbers with a constraint stay inline. */
const NAMED: ReadonlySet<string> = new Set(['object', 'enum', 'union']);

/** Names of exported schemas. An input schema gets its own name if it differs from the output schema. */
const NAMES = namesOf(contract);

/**
 * Converts a contract schema to JSON Schema. Rules that JSON Schema can't express, e.g. trimming before a length
 * check, are left out. Schemas exported by the contract become references to `$defs` under their export name, e.g.
 * `Member`.
 */
export function jsonSchemaOf(schema: z.core.$ZodType, io: Direction): Json {
  // Zod writes a named schema as a reference only inside another schema, so wrap it.
  const { properties, $defs } = withDescriptions(unwrapped(write(z.object({ it: schema }), io, NAMES[io])));
  const it = isJsonObject(properties) && isJsonObject(properties.it) ? properties.it : {};
  return $defs === undefined ? it : { ...it, $defs };
}

/** Unwraps unions with a single option, everywhere in a schema. */
function unwrapped(schema: Json): Json {
  const parts = Object.entries(schema).map(([key, part]) => [key, eachUnwrapped(part)] as const);
  const { anyOf, ...rest }: Json = Object.fromEntries(parts);
  if (!Array.isArray(anyOf)) return rest;
  return anyOf.length === 1 && isJsonObject(anyOf[0]) ? { ...anyOf[0], ...rest } : { ...rest, anyOf };
}

function eachUnwrapped(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(eachUnwrapped);
  return isJsonObject(part) ? unwrapped(part) : part;
}

function write(schema: z.core.$ZodType, io: Direction, metadata: Names): Json {
  return z.toJSONSchema(schema, {
    io,
    metadata,
    unrepresentable: 'any',
    // Responses can gain fields, so clients must tolerate unknown ones. Strict bodies state their restriction
    // themselves.
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod;
      if (io === 'output' && def.type === 'object' && !('catchall' in def)) delete jsonSchema.additionalProperties;
      attachComments(zodSchema, jsonSchema);
      // The registry adds the schema's name as `id`, which must not appear in the output.
      delete jsonSchema.id;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // Code generators treat a field with a default as always present and would require it in every body.
      if (io === 'input' && 'default' in jsonSchema) {
        jsonSchema.description = describeDefault(jsonSchema.default);
        delete jsonSchema.default;
      }
      if (def.type === 'literal' && jsonSchema.type === 'number') jsonSchema.type = 'integer';
      // Generators from before OpenAPI 3.1 don't support `const` and couldn't tell a refusal from a success.
      if (jsonSchema.const !== undefined) {
        jsonSchema.enum = [jsonSchema.const];
        delete jsonSchema.const;
      }
      if (def.type === 'record' && jsonSchema.required) nameFields(jsonSchema);
      // The only custom schema is the lab's world, which is an object.
      if (def.type === 'custom') jsonSchema.type = 'object';
      if (jsonSchema.pattern !== undefined) jsonSchema.pattern = inAnyDialect(jsonSchema.pattern);
    },
  });
}

/** Converts a record with fixed keys to an object with these fields, because code generators lose a record's keys. */
function nameFields(record: z.core.JSONSchema.BaseSchema): void {
  const { required = [], additionalProperties: value = {} } = record;
  record.properties = Object.fromEntries(required.map((name) => [name, value]));
  delete record.propertyNames;
  delete record.additionalProperties;
}

/**
 * Rewrites a pattern for regular expression dialects without `\p` and for code generators that escape slashes
 * themselves.
 */
function inAnyDialect(pattern: string): string {
  return pattern.replaceAll('\\/', '/').replaceAll('\\p{Cc}', '\\x00-\\x1f\\x7f-\\x9f');
}

function namesOf(exported: object): Record<Direction, Names> {
  const nameless: Names = z.registry<{ id?: string }>();
  const names = { input: z.registry<{ id?: string }>(), output: z.registry<{ id?: string }>() };
  for (const [name, schema] of Object.entries(exported)) {
    if (!(schema instanceof z.ZodType) || !NAMED.has(schema.def.type) || names.output.has(schema)) continue;
    const id = pascalCase(name);
    const [sent, received] = (['input', 'output'] as const).map((io) => JSON.stringify(write(schema, io, nameless)));
    names.output.add(schema, { id });
    names.input.add(schema, { id: sent === received ? id : `${id}Input` });
  }
  return names;
}

/** Converts `makePerson`, `MAKE_PERSON` and `make-person` to `MakePerson`. */
export function pascalCase(name: string): string {
  const isCamelCase = /^[a-z][A-Za-z0-9]*$/.test(name);
  const words = isCamelCase ? [name] : name.toLowerCase().split(/[_-]/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
