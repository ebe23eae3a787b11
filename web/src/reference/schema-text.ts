import { t } from '@lingui/core/macro';
import type { JsonSchema } from './documents.ts';

export type Schemas = Readonly<Record<string, JsonSchema>>;

const COMPONENT = '#/components/schemas/';

/** Returns the name of the component that a schema references. */
export const nameIn = ({ $ref }: JsonSchema): string | undefined => $ref?.replace(COMPONENT, '');

/** Resolves a schema that is a reference. */
export function resolved(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const name = nameIn(schema);
  return name === undefined ? schema : (schemas[name] ?? {});
}

/** Describes the type of a value, e.g. `Member[]` or `string or null`. */
export function typeText(schema: JsonSchema): string {
  const name = nameIn(schema);
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

/** Describes the constraints of a value, e.g. `1 to 100 characters`; '' without any. */
export function rulesText({ minLength = 0, maxLength, minimum, maximum }: JsonSchema): string {
  const rules = [
    maxLength !== undefined && t`${minLength} to ${maxLength} characters`,
    maxLength === undefined && minLength > 0 && t`at least ${minLength} characters`,
    minimum !== undefined && maximum !== undefined && t`${minimum} to ${maximum}`,
    minimum !== undefined && maximum === undefined && t`at least ${minimum}`,
    minimum === undefined && maximum !== undefined && t`at most ${maximum}`,
  ];
  return rules.filter(Boolean).join(', ');
}

/** Returns the objects of a schema, resolving references, lists and unions. */
export function objectsIn(schema: JsonSchema, schemas: Schemas): JsonSchema[] {
  const whole = resolved(schema, schemas);
  if (whole.properties) return [whole];
  if (whole.items) return objectsIn(whole.items, schemas);
  return (whole.oneOf ?? whole.anyOf ?? []).flatMap((option) => objectsIn(option, schemas));
}
