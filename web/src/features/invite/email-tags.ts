import { email, INVITE_EMAILS_MAX } from '@orchestrate/shared';
import { addTags as addTexts, holdsSeveral, splitTags, type Tag } from '../../ui/tags.ts';

const isEmail = (text: string) => email.safeParse(text).success;

/** `Ada <ada@acme.test>` becomes the address alone: mail programs put it in angle brackets after the name. */
function addressesIn(typed: string): string[] {
  const bracketed = [...typed.matchAll(/<([^<>\s]+@[^<>\s]+)>/g)].map(([, address = '']) => address);
  return bracketed.length > 0 ? bracketed : splitTags(typed);
}

/**
 * Adds what was typed or pasted; an address that is there already, in any case, is not added again.
 * @returns the tags, at most `INVITE_EMAILS_MAX`, and how many did not fit.
 */
export const addTags = (tags: readonly Tag[], typed: string): { tags: Tag[]; leftOut: number } =>
  addTexts(tags, addressesIn(typed), { max: INVITE_EMAILS_MAX, isValid: isEmail });

/** Whether a pasted text is one or several whole addresses, and not part of one. */
export const isComplete = (text: string): boolean => holdsSeveral(text) || isEmail(text.trim());
