import type { TryCheck } from '@orchestrate/shared';

export const check = (name: string, isMet: boolean, detail: string): TryCheck => ({ name, isMet, detail });

/** Compares two strings and reports both. @param what the name of the first one in the report */
export function checkSame(name: string, what: string, found: string, expected: string): TryCheck {
  const isMet = found === expected;
  return check(name, isMet, isMet ? `${what} is ${expected}.` : `${what} is ${found || 'missing'}, not ${expected}.`);
}
