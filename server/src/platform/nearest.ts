import { closestMatch } from 'leven';

/** The largest share of a word that a typo changes. */
const SLIP = 0.4;

/** The known name that was probably meant, if one is close. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  return closestMatch(given, known, { maxDistance: Math.floor(given.length * SLIP) });
}
