import { isPortalText, type Language } from '@orchestrate/shared';
import { z } from 'zod';
import { toGerman } from './translate.ts';

/** Where a schema's values contain portal texts: in the value itself, in an object's fields, or in a list's items. */
interface Texts {
  isText?: boolean;
  fields?: ReadonlyMap<string, Texts>;
  items?: Texts;
}

/** Returns a value that conforms to the schema, with the portal's own texts translated. */
export function translateTexts<Value>(schema: z.ZodType, value: Value, language: Language): Value {
  const texts = language === 'en' ? undefined : textsIn(schema);
  // The type stays valid: only strings are replaced, by other strings.
  return texts ? (translated(texts, value) as Value) : value;
}

/** Returns true if the schema's values can contain portal texts. */
export const hasTexts = (schema: z.ZodType): boolean => textsIn(schema) !== undefined;

function translated(texts: Texts, value: unknown): unknown {
  if (typeof value === 'string') return texts.isText ? toGerman(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const { items } = texts;
    return items ? value.map((item) => translated(items, item)) : value;
  }
  const { fields } = texts;
  if (!fields) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      const inside = fields.get(name);
      return [name, inside ? translated(inside, part) : part];
    }),
  );
}

/** Cached per schema: the contract's schemas are constants shared by all portals of a process. */
const found = new WeakMap<z.ZodType, { texts: Texts | undefined }>();

function textsIn(schema: z.ZodType): Texts | undefined {
  const known = found.get(schema);
  if (known) return known.texts;
  const texts = isPortalText(schema) ? { isText: true } : textsInside(schema);
  found.set(schema, { texts });
  return texts;
}

function textsInside(schema: z.ZodType): Texts | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return textsIn(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodUnion) return joined(schema.options as readonly z.ZodType[]);
  if (schema instanceof z.ZodArray) {
    const items = textsIn(schema.element as z.ZodType);
    return items && { items };
  }
  if (!(schema instanceof z.ZodObject)) return undefined;
  const shape: Record<string, z.ZodType> = schema.shape;
  const fields = Object.entries(shape).flatMap(([name, field]) => {
    const texts = textsIn(field);
    return texts ? [[name, texts] as const] : [];
  });
  return fields.length > 0 ? { fields: new Map(fields) } : undefined;
}

/** Merges the locations of texts in a union's options. Options must agree on any field they share. */
function joined(options: readonly z.ZodType[]): Texts | undefined {
  const all = options.flatMap((option) => textsIn(option) ?? []);
  const fields = new Map(all.flatMap((texts) => [...(texts.fields ?? [])]));
  const items = all.find((texts) => texts.items)?.items;
  const isText = all.some((texts) => texts.isText);
  if (all.length === 0) return undefined;
  return { isText, ...(fields.size > 0 && { fields }), ...(items && { items }) };
}
