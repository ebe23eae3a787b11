import { contract } from '@orchestrate/shared';
import { z } from 'zod';
import { commentsOn, meaningOf } from './meanings.ts';

export type Json = Record<string, unknown>;
export type Direction = 'input' | 'output';
type Names = z.core.$ZodRegistry<{ id?: string }>;

/** Schema types that get a named type. Strings and numbers with a rule don't. */
const NAMED: ReadonlySet<string> = new Set(['object', 'enum', 'union']);

/** Temporarily carries a schema's field comments until it is written. */
const COMMENTS = 'x-comments';

/** Names of exported schemas; input schemas get their own name if they differ from the output. */
const NAMES = namesOf(contract);

/**
 * Converts a contract schema to JSON Schema for tools. Rules that JSON Schema can't express, e.g. a trimmed length,
 * are left out. Schemas exported by the contract are references to `$defs` under their export name, e.g. `Member`.
 */
export function jsonSchemaOf(schema: z.core.$ZodType, io: Direction): Json {
  // A named schema becomes a reference only within another; alone, it would be written in full.
  const { properties, $defs } = explained(write(z.object({ it: schema }), io, NAMES[io]));
  const it = isJson(properties) && isJson(properties.it) ? properties.it : {};
  return $defs === undefined ? it : { ...it, $defs };
}

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds the description of each field. */
function explained(schema: Json): Json {
  const { [COMMENTS]: comments, ...rest } = schema;
  const parts = Object.entries(rest).map(([key, part]) => [key, eachExplained(part)] as const);
  const whole: Json = alone(Object.fromEntries(parts));
  if (!isJson(whole.properties)) return whole;
  const fields = Object.entries(whole.properties).map(([name, field]) => [name, withMeaning(name, field, comments)]);
  return { ...whole, properties: Object.fromEntries(fields) };
}

/** Unwraps a union of one. */
function alone({ anyOf, ...rest }: Json): Json {
  if (!Array.isArray(anyOf)) return rest;
  return anyOf.length === 1 && isJson(anyOf[0]) ? { ...anyOf[0], ...rest } : { ...rest, anyOf };
}

function eachExplained(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(eachExplained);
  return isJson(part) ? explained(part) : part;
}

function withMeaning(name: string, field: unknown, comments: unknown): unknown {
  const meaning = meaningOf(name, isJson(comments) ? comments[name] : undefined);
  if (!isJson(field) || meaning === undefined) return field;
  return { ...field, description: [meaning, field.description].filter((text) => text !== undefined).join(' ') };
}

function write(schema: z.core.$ZodType, io: Direction, metadata: Names): Json {
  return z.toJSONSchema(schema, {
    io,
    metadata,
    unrepresentable: 'any',
    // Responses may get new fields, which clients should tolerate. Strict bodies say so.
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod;
      if (io === 'output' && def.type === 'object' && !('catchall' in def)) delete jsonSchema.additionalProperties;
      const comments = commentsOn(zodSchema);
      if (comments) jsonSchema[COMMENTS] = comments;
      // The id is its name, by which it is looked up.
      delete jsonSchema.id;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // Generators treat a field with a default as always present, and would require it in every body.
      if (io === 'input' && 'default' in jsonSchema) {
        jsonSchema.description = `Without it: ${JSON.stringify(jsonSchema.default)}.`;
        delete jsonSchema.default;
      }
      if (def.type === 'literal' && jsonSchema.type === 'number') jsonSchema.type = 'integer';
      // Generators older than OpenAPI 3.1 don't know `const`, and couldn't distinguish a refusal from the success.
      if (jsonSchema.const !== undefined) {
        jsonSchema.enum = [jsonSchema.const];
        delete jsonSchema.const;
      }
      if (def.type === 'record' && jsonSchema.required) nameFields(jsonSchema);
      // Only worlds have custom checks, and every world is an object.
      if (def.type === 'custom') jsonSchema.type = 'object';
      if (jsonSchema.pattern !== undefined) jsonSchema.pattern = inAnyDialect(jsonSchema.pattern);
    },
  });
}

/** Converts a record with fixed keys to an object with these fields. Generators lose the keys of a record. */
function nameFields(record: z.core.JSONSchema.BaseSchema): void {
  const { required = [], additionalProperties: value = {} } = record;
  record.properties = Object.fromEntries(required.map((name) => [name, value]));
  delete record.propertyNames;
  delete record.additionalProperties;
}

/** Rewrites a pattern for languages without \p, whose literals escape slashes again. */
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
