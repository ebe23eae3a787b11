import { nearest } from '#platform/nearest.ts';

/** Types an option can have, as returned by `typeof`. */
type Kind = 'string' | 'number' | 'boolean' | 'object' | 'function';

/** Allowed types of each option; `any` options are checked separately. */
export type Options<Name extends string = string> = Readonly<Record<Name, readonly Kind[] | 'any'>>;

const KIND_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  function: 'a function',
};

/** Accepts any options, because the portal checks their names and types. */
export const ANY_FIELDS = Symbol('any fields');

/**
 * Makes methods reject more arguments than they accept, because JavaScript ignores them.
 * @param owner name of the object, for the message
 */
export function limitArguments<Methods extends object>(
  owner: string,
  methods: Methods,
  most: Readonly<Partial<Record<keyof Methods & string, number>>>,
): Methods {
  for (const name of Object.keys(most) as (keyof Methods & string)[]) {
    const limit = most[name] ?? 0;
    const method: unknown = methods[name];
    if (typeof method !== 'function') continue;
    const limited = (...given: unknown[]) => {
      if (given.length <= limit) return method(...given);
      if (isArrayCallback(given)) return method(...given.slice(0, limit));
      const accepted = limit === 0 ? 'no arguments' : limit === 1 ? 'one argument' : `${limit} arguments`;
      throw new TypeError(`${owner}.${name} expects ${accepted}, not ${given.length}`);
    };
    Object.assign(methods, { [name]: limited });
  }
  return methods;
}

/** Returns true for the arguments that `emails.map(portal.person)` passes. */
const isArrayCallback = ([item, index, items, ...others]: readonly unknown[]): boolean =>
  others.length === 0 && Array.isArray(items) && typeof index === 'number' && items[index] === item;

/**
 * Rejects options with the wrong type and unknown options, because misspelt options would have no effect. Never
 * prints values, which may be tokens.
 * @param known allowed options; the first one is the example shown if no options were passed
 * @throws TypeError
 */
export function requireOptions(call: string, given: unknown, known: Options | typeof ANY_FIELDS): void {
  const names = known === ANY_FIELDS ? [] : Object.keys(known);
  if (kindOf(given) !== 'object') {
    const example =
      known === ANY_FIELDS ? 'an object' : names[0] === undefined ? 'no options' : `options, e.g. { ${names[0]}: … }`;
    throw new TypeError(`${call} expects ${example}, not ${describeKind(given)}`);
  }
  if (known === ANY_FIELDS) return;
  for (const [name, value] of Object.entries(Object(given))) {
    if (value === undefined) continue;
    const kinds = Object.hasOwn(known, name) ? (known as Options)[name] : undefined;
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
