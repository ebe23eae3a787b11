import { email, INVITE_EMAILS_MAX } from '@orchestrate/shared';

/** An address as it was typed or pasted. */
export interface EmailTag {
  text: string;
  isValid: boolean;
}

/** Spaces, line ends, commas and semicolons stand between addresses; `Ada <ada@acme.test>` is the address alone. */
const BETWEEN = /[\s,;]+/;

const tagOf = (text: string): EmailTag => ({ text, isValid: email.safeParse(text).success });

/** What stands between angle brackets, where a mail program wrote the names before it. */
function addressesIn(typed: string): string[] {
  const bracketed = [...typed.matchAll(/<([^<>\s]+@[^<>\s]+)>/g)].map(([, address = '']) => address);
  return bracketed.length > 0 ? bracketed : typed.split(BETWEEN).filter(Boolean);
}

/**
 * Adds what was typed or pasted: an address that is there already, whatever its case, is not added again.
 * @returns the tags, at most `INVITE_EMAILS_MAX`, and how many found no place any more.
 */
export function addTags(tags: readonly EmailTag[], typed: string): { tags: EmailTag[]; leftOut: number } {
  const known = new Set(tags.map(({ text }) => text.toLowerCase()));
  const added: EmailTag[] = [];
  for (const address of addressesIn(typed)) {
    if (known.has(address.toLowerCase())) continue;
    known.add(address.toLowerCase());
    added.push(tagOf(address));
  }
  const room = INVITE_EMAILS_MAX - tags.length;
  return { tags: [...tags, ...added.slice(0, room)], leftOut: Math.max(0, added.length - room) };
}

/** Whether a typed text ends an address, so that it becomes a tag while the person types on. */
export const endsAddress = (typed: string): boolean => /[\s,;]$/.test(typed);

/** Whether a pasted text is one address or several, and no part of one. */
export const isComplete = (text: string): boolean => BETWEEN.test(text.trim()) || tagOf(text.trim()).isValid;
