import { email, INVITE_EMAILS_MAX } from '@orchestrate/shared';
import { addTags as addTexts, holdsSeveral, splitTags, type Tag } from '../../ui/tags.ts';

const isEmail = (text: string) => email.safeParse(text).success;

/** `Ada <ada@acme.test>` is the address alone: what stands between brackets, where a mail program wrote names before it. */
function addressesIn(typed: string): string[] {
  const bracketed = [...typed.matchAll(/<([^<>\s]+@[^<>\s]+)>/g)].map(([, address = '']) => address);
  return bracketed.length > 0 ? bracketed : splitTags(typed);
}

/**
 * Adds what was typed or pasted: an address that is there already, whatever its case, is not added again.
 * @returns the tags, at most `INVITE_EMAILS_MAX`, and how many found no place any more.
 */
export const addTags = (tags: readonly Tag[], typed: string): { tags: Tag[]; leftOut: number } =>
  addTexts(tags, addressesIn(typed), { max: INVITE_EMAILS_MAX, isValid: isEmail });

/** Whether a pasted text is one address or several, and no part of one. */
export const isComplete = (text: string): boolean => holdsSeveral(text) || isEmail(text.trim());
