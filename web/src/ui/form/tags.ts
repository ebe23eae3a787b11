/** A typed or pasted tag, which may be invalid. */
export interface Tag {
  text: string;
  isValid: boolean;
}

/** Matches separators: spaces, line breaks, commas and semicolons. */
const BETWEEN = /[\s,;]+/;

/** Splits a string into tags. */
export const splitTags = (typed: string): string[] => typed.split(BETWEEN).filter(Boolean);

/** Returns true if a string contains several tags. */
export const hasSeveralTags = (text: string): boolean => BETWEEN.test(text.trim());

/** Returns true if typed text ends with a separator, which completes the tag. */
export const endsTag = (typed: string): boolean => /[\s,;]$/.test(typed);

/**
 * Adds tags, ignoring duplicates regardless of letter case.
 * @returns at most `max` tags, and the number of tags dropped beyond `max`
 */
export function addTags(
  tags: readonly Tag[],
  texts: readonly string[],
  { max, isValid }: { max: number; isValid: (text: string) => boolean },
): { tags: Tag[]; leftOut: number } {
  const known = new Set(tags.map(({ text }) => text.toLowerCase()));
  const added: Tag[] = [];
  for (const text of texts) {
    if (known.has(text.toLowerCase())) continue;
    known.add(text.toLowerCase());
    added.push({ text, isValid: isValid(text) });
  }
  const room = max - tags.length;
  return { tags: [...tags, ...added.slice(0, room)], leftOut: Math.max(0, added.length - room) };
}
