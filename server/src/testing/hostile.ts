import type { EndpointDefinition } from '@orchestrate/shared';
import fc from 'fast-check';

/** Values that have broken other servers in the past. */
export const oddValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    0,
    -1,
    1e308,
    true,
    [],
    {},
    '__proto__',
    'constructor',
    '\u0000',
    '\ud800',
    '\u202e',
    '𝒳'.repeat(40),
    "' OR 1=1 --",
    '%00',
    '../../etc/passwd',
    'x'.repeat(100_000),
    { toString: 'x', length: -1 },
    [[[[[[[]]]]]]],
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.jsonValue(),
);

/** Returns a valid request part with one or two fields replaced or added, or an entirely different value. */
export function spoilRequestPart(part: Record<string, unknown> = {}): fc.Arbitrary<unknown> {
  const names = [...Object.keys(part), 'suid', 'zid', 'primaryAttr', 'action', 'count', 'lastItem', 'unknown'];
  const changes = fc.dictionary(fc.constantFrom(...names), oddValue, { minKeys: 1, maxKeys: 2, noNullPrototype: true });
  return fc.oneof(
    { weight: 3, arbitrary: changes.map((changed) => ({ ...part, ...changed })) },
    { weight: 1, arbitrary: oddValue },
  );
}

/** Returns a path relative to `/api` for any request parts, truncated to a length that servers accept. */
export function hostileAddress(entry: EndpointDefinition, params: unknown, query: unknown): string {
  const values = new Map<string, unknown>(Object.entries(Object(params)));
  const path = entry.path.replace(/:(\w+)/g, (_, name: string) => encoded(values.get(name)));
  const search = Object.entries(Object(query)).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return search.length > 0 ? `${path}?${search.join('&')}`.slice(0, 8_000) : path.slice(0, 8_000);
}

/** Encodes a value as any client would, even if it isn't a string or valid Unicode. */
function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
  return encodeURIComponent(text.toWellFormed()) || 'x';
}
