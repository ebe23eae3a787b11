import { nearest } from '#platform/nearest.ts';

/** Types an option can have, as returned by `typeof`. */
type Kind = 'string' | 'number' | 'object' | 'function';

/** Allowed types of each option; `any` options are checked separately. */
export type Options<Name extends string = string> = Readonly<Record<Name, readonly Kind[] | 'any'>>;

const KIND_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  object: 'an object',
  function: 'a function',
};

/**
 * Rejects options with the wrong type and unknown options, because misspelt options would have no effect. Never
 * prints values, which may be tokens.
 * @param known allowed options; the first one is the example shown if no options were passed
 * @throws TypeError
 */
export function requireOptions(call: string, given: unknown, known: Options): void {
  const names = Object.keys(known);
  if (kindOf(given) !== 'object') {
    const example = names[0] === undefined ? 'no options' : `options, e.g. { ${names[0]}: … }`;
    throw new TypeError(`${call} expects ${example}, not ${describeKind(given)}`);
  }
  for (const [name, value] of Object.entries(Object(given))) {
    if (value === undefined) continue;
    const kinds = known[name];
    if (!kinds) {
      const meant = nearest(name, names);
      throw new TypeError(`${call} has no option ${name}.${meant ? ` Did you mean ${meant}?` : ''}`);
    }
    if (kinds === 'any' || kinds.some((kind) => kind === kindOf(value))) continue;
    throw new TypeError(
      `${call} expects ${kinds.map((kind) => KIND_NAMES[kind]).join(' or ')} as ${name}, not ${describeKind(value)}`,
    );
  }
}

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value);
const describeKind = (value: unknown): string => KIND_NAMES[kindOf(value)] ?? kindOf(value);
