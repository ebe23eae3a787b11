import { email, INVITE_EMAILS_MAX } from '@orchestrate/shared';
import { addTags as addTexts, holdsSeveral, splitTags, type Tag } from '../../ui/tags.ts';

const isEmail = (text: string) => email.safeParse(text).success;

const QUOTED = /"(?:[^"\\]|\\.)*"/g;
/** What stands between commas, semicolons and line ends: these may also be part of a quoted name. */
const ENTRY = /(?:"(?:[^"\\]|\\.)*"|<[^<>]*>|[^,;\r\n"<>])+/g;

/**
 * The addresses of a list. `Ada <ada@acme.test>` becomes the address alone: mail programs put it in angle brackets after
 * the name (RFC 5322 §3.4). Whatever is not a name stays, so that nothing is lost unseen.
 */
const addressesIn = (typed: string): string[] =>
  (typed.match(ENTRY) ?? []).flatMap((entry) => {
    const bracketed = [...entry.matchAll(/<\s*([^<>\s]+@[^<>\s]+)\s*>/g)].map(([, address = '']) => address);
    if (bracketed.length === 0) return splitTags(entry);
    const beside = splitTags(entry.replace(QUOTED, ' ').replace(/<[^<>]*>/g, ' ')).filter(isEmail);
    return [...beside, ...bracketed];
  });

/**
 * Adds what was typed or pasted; an address that is there already, in any case, is not added again.
 * @returns the tags, at most `INVITE_EMAILS_MAX`, and how many did not fit.
 */
export const addTags = (tags: readonly Tag[], typed: string): { tags: Tag[]; leftOut: number } =>
  addTexts(tags, addressesIn(typed), { max: INVITE_EMAILS_MAX, isValid: isEmail });

/** Whether a pasted text is one or several whole addresses, and not part of one. */
export const isComplete = (text: string): boolean => holdsSeveral(text) || isEmail(text.trim());
