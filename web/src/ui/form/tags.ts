/** A text that was typed or pasted as a tag, valid or not. */
export interface Tag {
  text: string;
  isValid: boolean;
}

/** Tags are separated by spaces, line ends, commas and semicolons. */
const BETWEEN = /[\s,;]+/;

/** Splits a typed or pasted text into its tags. */
export const splitTags = (typed: string): string[] => typed.split(BETWEEN).filter(Boolean);

/** Whether a text holds several tags. */
export const holdsSeveral = (text: string): boolean => BETWEEN.test(text.trim());

/** Whether a typed text ends with a separator, so that it becomes a tag while the person types on. */
export const endsTag = (typed: string): boolean => /[\s,;]$/.test(typed);

/**
 * Adds texts; one that is there already, in any case, is not added again.
 * @returns the tags, at most `max`, and how many did not fit.
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
