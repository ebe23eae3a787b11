import type { TryCheck } from '@orchestrate/shared';

export const check = (name: string, isMet: boolean, detail: string): TryCheck => ({ name, isMet, detail });

/** Checks whether two texts are equal, and reports both. @param what names the first one in a sentence */
export function checkSame(name: string, what: string, found: string, expected: string): TryCheck {
  const isMet = found === expected;
  return check(name, isMet, isMet ? `${what} is ${expected}.` : `${what} is ${found || 'missing'}, not ${expected}.`);
}
