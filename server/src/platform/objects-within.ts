import { z } from 'zod';

/** Properties of an endpoint or channel definition that contain schemas. */
const PARTS = ['params', 'query', 'body', 'multipart', 'reply', 'newsReply', 'current', 'server', 'client'];

/**
 * Returns every object schema within an endpoint, channel or schema, with its property path, e.g.
 * `body.def.options.1.def.shape.device`.
 */
export function objectSchemasIn(exported: unknown): [way: string, object: z.ZodObject][] {
  if (exported instanceof z.ZodType) return [...within('', exported)];
  if (typeof exported !== 'object' || exported === null) return [];
  const parts = Object.entries(exported).filter(([name]) => PARTS.includes(name));
  return parts.flatMap(([name, part]) => [...within(name, part)]);
}

/**
 * Yields every object schema within a value, with its property path.
 * @param opened lazy schemas already entered on this path, which can contain themselves
 */
function* within(path: string, value: unknown, opened: readonly z.ZodLazy[] = []): Generator<[string, z.ZodObject]> {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (!(value instanceof z.ZodType)) {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) yield* within(at(name), part, opened);
    return;
  }
  if (value instanceof z.ZodObject) yield [path, value];
  if (value instanceof z.ZodLazy) {
    if (!opened.includes(value)) yield* within(at('_zod.innerType'), value._zod.innerType, [...opened, value]);
    return;
  }
  for (const name of ['shape', 'innerType', 'element', 'options', 'valueType', 'in', 'out', 'left', 'right', 'items']) {
    if (name in value.def) yield* within(at(`def.${name}`), Object(value.def)[name], opened);
  }
}

/** Returns the value at a path. */
export const valueAtPath = (exported: unknown, path: string): unknown =>
  path === '' ? exported : path.split('.').reduce<unknown>((value, name) => Object(value)[name], exported);
