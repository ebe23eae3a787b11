import { t } from '@lingui/core/macro';
import type { JsonSchema } from './documents.ts';

export type Schemas = Readonly<Record<string, JsonSchema>>;

const COMPONENT = '#/components/schemas/';

/** Returns the name of the component that a schema refers to. */
export const componentNameOf = ({ $ref }: JsonSchema): string | undefined => $ref?.replace(COMPONENT, '');

/** Returns the referenced schema, or the schema itself if it isn't a reference. */
export function resolveSchema(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const name = componentNameOf(schema);
  return name === undefined ? schema : (schemas[name] ?? {});
}

/** Returns a value's type in words, e.g. `Member[]` or `string or null`. */
export function typeText(schema: JsonSchema): string {
  const name = componentNameOf(schema);
  if (name) return name;
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  const options = schema.oneOf ?? schema.anyOf;
  if (options) return [...new Set(options.map(typeText))].join(' or ');
  if (schema.type === 'array') {
    const item = typeText(schema.items ?? {});
    return item.includes(' ') ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type === undefined) return t`any JSON value`;
  const type = [schema.type].flat().join(' or ');
  return schema.format ? `${type} (${schema.format})` : type;
}

/** Returns a value's constraints in words, e.g. `1 to 100 characters`, or '' if there are none. */
export function constraintsText({ minLength = 0, maxLength, minimum, maximum }: JsonSchema): string {
  const rules = [
    maxLength !== undefined && t`${minLength} to ${maxLength} characters`,
    maxLength === undefined && minLength > 0 && t`at least ${minLength} characters`,
    minimum !== undefined && maximum !== undefined && t`${minimum} to ${maximum}`,
    minimum !== undefined && maximum === undefined && t`at least ${minimum}`,
    minimum === undefined && maximum !== undefined && t`at most ${maximum}`,
  ];
  return rules.filter(Boolean).join(', ');
}

/** Returns the object schemas in a schema, resolving references, lists and unions. */
export function objectSchemasOf(schema: JsonSchema, schemas: Schemas): JsonSchema[] {
  const whole = resolveSchema(schema, schemas);
  if (whole.properties) return [whole];
  if (whole.items) return objectSchemasOf(whole.items, schemas);
  return (whole.oneOf ?? whole.anyOf ?? []).flatMap((option) => objectSchemasOf(option, schemas));
}
