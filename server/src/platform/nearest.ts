import { closestMatch } from 'leven';

/** The largest share of a word that a typo changes. */
const SLIP = 0.4;

/**
 * The known name that was probably meant, if one is close: a slip of the fingers, or two letters that changed places.
 */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const letters = lettersOf(given);
  const twisted = known.find((name) => lettersOf(name) === letters);
  if (twisted !== undefined) return twisted;
  return closestMatch(given, known, { maxDistance: Math.floor(given.length * SLIP) });
}

const lettersOf = (text: string): string => [...text.toLowerCase()].sort().join('');
