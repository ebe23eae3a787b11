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

/**
 * The same of a name in several parts, each of which must be close: as a whole, a long name is close to many others.
 * @param separator what stands between the parts
 */
export function nearestByParts(given: string, known: readonly string[], separator: string): string | undefined {
  const ours = given.split(separator);
  const close = known.filter((name) => {
    const theirs = name.split(separator);
    return theirs.length === ours.length && theirs.every((part, at) => nearest(ours[at] ?? '', [part]) !== undefined);
  });
  return nearest(given, close);
}

const lettersOf = (text: string): string => [...text.toLowerCase()].sort().join('');
