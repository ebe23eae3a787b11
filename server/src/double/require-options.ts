import { nearest } from '../platform/nearest.ts';

/**
 * Refuses what a call does not take: misspelt, it would do nothing.
 * @param known each option of the call; the first is named where there are none
 * @throws TypeError
 */
export function requireOptions(call: string, given: unknown, known: Readonly<Record<string, true>>): void {
  const names = Object.keys(known);
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${call} takes options, e.g. { ${names[0]}: … }, and not ${String(given)}`);
  }
  for (const name of Object.keys(given)) {
    if (known[name]) continue;
    const meant = nearest(name, names);
    throw new TypeError(`${call} has no option ${name}.${meant ? ` Did you mean ${meant}?` : ''}`);
  }
}
