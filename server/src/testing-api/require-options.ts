import { nearest } from '#platform/nearest.ts';

/** What an option may be, as `typeof` says it. */
type Kind = 'string' | 'number' | 'object' | 'function';

/** Each option of a call with what it may be; `any` is judged elsewhere. */
export type Options<Name extends string = string> = Readonly<Record<Name, readonly Kind[] | 'any'>>;

const SAID: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  object: 'an object',
  function: 'a function',
};

/**
 * Refuses what a call does not take: misspelt, it would do nothing. What is given is not shown, since it may be a token.
 * @param known the first is named where there are none
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
