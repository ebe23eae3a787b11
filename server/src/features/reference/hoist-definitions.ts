type Json = Record<string, unknown>;

const LOCAL = '#/$defs/';
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The document with the definitions that its schemas carry (`$defs`) among its components: there a reference such as
 * `#/$defs/x` means something in the whole document (OpenAPI 3.1.1 §4.3). Equal definitions become one.
 */
export function hoistDefinitions<D extends { components: { schemas: Json } }>(document: D): D {
  const names = new Map<string, string>();
  const shared: Json = {};

  function walk(value: unknown, scope: ReadonlyMap<string, string>): unknown {
    if (Array.isArray(value)) return value.map((item) => walk(item, scope));
    if (!isObject(value)) return value;
    const { $defs, ...rest } = value;
    const inner = isObject($defs) ? scopeOf($defs, scope) : scope;
    return Object.fromEntries(
      Object.entries(rest).map(([key, part]) => [key, key === '$ref' ? globally(part, inner) : walk(part, inner)]),
    );
  }

  function scopeOf(definitions: Json, outer: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    const text = JSON.stringify(definitions);
    const scope = new Map(outer);
    for (const local of Object.keys(definitions)) {
      const key = `${local} ${text}`;
      const name = names.get(key) ?? `Shared${names.size + 1}`;
      names.set(key, name);
      scope.set(local, name);
    }
    for (const [local, definition] of Object.entries(definitions)) {
      const name = scope.get(local) ?? local;
      shared[name] ??= walk(definition, scope);
    }
    return scope;
  }

  function globally(reference: unknown, scope: ReadonlyMap<string, string>): unknown {
    if (typeof reference !== 'string' || !reference.startsWith(LOCAL)) return reference;
    const local = reference.slice(LOCAL.length);
    return `#/components/schemas/${scope.get(local) ?? local}`;
  }

  const hoisted = walk(document, new Map()) as D;
  return { ...hoisted, components: { ...hoisted.components, schemas: { ...hoisted.components.schemas, ...shared } } };
}
