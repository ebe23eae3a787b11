import { closestMatch } from 'leven';

/** The share of a word that a slip changes at most. */
const SLIP = 0.4;

/** The name that somebody probably meant, if one is close. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  return closestMatch(given, known, { maxDistance: Math.floor(given.length * SLIP) });
}
