/** The first letter of a name, in capitals, e.g. of an organisation that has no logo. */
export const initialOf = (name: string): string => initialsOf(name.trim().split(/\s/u, 1)[0] ?? '');

/** The initials of the first two words of a name, in capitals; '?' where there is no name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean).slice(0, 2);
  // A code point may be only part of a character (flags, accents): the segmenter keeps together what a reader sees as
  // one.
  const letters = words.map((word) => [...new Intl.Segmenter().segment(word)][0]?.segment ?? '');
  return letters.join('').toLocaleUpperCase() || '?';
}
