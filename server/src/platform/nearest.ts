import { closestMatch } from 'leven';

/** Maximum fraction of a word that a typo can change. */
const SLIP = 0.4;

/**
 * Returns the known name that was probably meant, allowing for typos and swapped letters. Returns undefined if no
 * name is close.
 */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const letters = lettersOf(given);
  const twisted = known.find((name) => lettersOf(name) === letters);
  if (twisted !== undefined) return twisted;
  return closestMatch(given, known, { maxDistance: Math.floor(given.length * SLIP) });
}

/**
 * Like `nearest`, for names with several segments. Each segment must be close, because comparing long names as a
 * whole would match too many.
 * @param separator string between the segments
 */
export function nearestBySegments(given: string, known: readonly string[], separator: string): string | undefined {
  const ours = given.split(separator);
  const close = known.filter((name) => {
    const theirs = name.split(separator);
    return theirs.length === ours.length && theirs.every((part, at) => nearest(ours[at] ?? '', [part]) !== undefined);
  });
  return nearest(given, close);
}

const lettersOf = (text: string): string => [...text.toLowerCase()].sort().join('');
