import { z } from 'zod';

/** Properties of an entry or channel that are schemas. */
const PARTS = ['params', 'query', 'body', 'multipart', 'reply', 'newsReply', 'current', 'server', 'client'];

/**
 * Returns every object within an entry, a channel or a schema, by its property path, e.g.
 * `body.def.options.1.def.shape.device`.
 */
export function objectsWithin(exported: unknown): [way: string, object: z.ZodObject][] {
  if (exported instanceof z.ZodType) return [...within('', exported)];
  if (typeof exported !== 'object' || exported === null) return [];
  const parts = Object.entries(exported).filter(([name]) => PARTS.includes(name));
  return parts.flatMap(([name, part]) => [...within(name, part)]);
}

/** @param opened lazy schemas on the path, which may contain themselves */
function* within(way: string, value: unknown, opened: readonly z.ZodLazy[] = []): Generator<[string, z.ZodObject]> {
  const at = (name: string) => (way === '' ? name : `${way}.${name}`);
  if (!(value instanceof z.ZodType)) {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) yield* within(at(name), part, opened);
    return;
  }
  if (value instanceof z.ZodObject) yield [way, value];
  if (value instanceof z.ZodLazy) {
    if (!opened.includes(value)) yield* within(at('_zod.innerType'), value._zod.innerType, [...opened, value]);
    return;
  }
  for (const name of ['shape', 'innerType', 'element', 'options', 'valueType', 'in', 'out', 'left', 'right', 'items']) {
    if (name in value.def) yield* within(at(`def.${name}`), Object(value.def)[name], opened);
  }
}

/** Returns the object at the end of a path. */
export const objectAt = (exported: unknown, way: string): unknown =>
  way === '' ? exported : way.split('.').reduce<unknown>((value, name) => Object(value)[name], exported);
