/** What was typed or pasted and stands as a tag, right or wrong. */
export interface Tag {
  text: string;
  isValid: boolean;
}

/** Spaces, line ends, commas and semicolons stand between tags. */
const BETWEEN = /[\s,;]+/;

/** The texts that a typed or pasted text holds. */
export const splitTags = (typed: string): string[] => typed.split(BETWEEN).filter(Boolean);

/** Whether a text holds several tags. */
export const holdsSeveral = (text: string): boolean => BETWEEN.test(text.trim());

/** Whether a typed text ends a tag, so that it becomes one while the person types on. */
export const endsTag = (typed: string): boolean => /[\s,;]$/.test(typed);

/**
 * Adds texts: one that is there already, whatever its case, is not added again.
 * @returns the tags, at most `max`, and how many found no place any more.
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
