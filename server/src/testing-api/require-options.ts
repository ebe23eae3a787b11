import { nearest } from '#platform/nearest.ts';

/** Types of an option, as `typeof` names them. */
type Kind = 'string' | 'number' | 'object' | 'function';

/** The types of each option of a call; `any` is checked elsewhere. */
export type Options<Name extends string = string> = Readonly<Record<Name, readonly Kind[] | 'any'>>;

const SAID: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  object: 'an object',
  function: 'a function',
};

/**
 * Refuses unknown options, because misspelt ones would have no effect, and options of the wrong type. Doesn't print
 * values, which may be tokens.
 * @param known the options; the first one is the example if none was passed
 * @throws TypeError
 */
export function requireOptions(call: string, given: unknown, known: Options): void {
  const names = Object.keys(known);
  if (kindOf(given) !== 'object') {
    const example = names[0] === undefined ? 'no options' : `options, e.g. { ${names[0]}: … }`;
    throw new TypeError(`${call} takes ${example}, and not ${said(given)}`);
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
      `${call} takes ${kinds.map((kind) => SAID[kind]).join(' or ')} as ${name}, and not ${said(value)}`,
    );
  }
}

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value);
const said = (value: unknown): string => SAID[kindOf(value)] ?? kindOf(value);
