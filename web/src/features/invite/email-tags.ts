import { email, INVITE_EMAILS_MAX } from '@orchestrate/shared';
import { addTags as addTexts, hasSeveralTags, splitTags, type Tag } from '#ui/form/tags.ts';

const isEmail = (text: string) => email.safeParse(text).success;

/** Zero-width characters and soft hyphens, which occur in text copied from web pages. */
const INVISIBLE = /[\u00AD\u200B-\u200D\u2060\uFEFF]/g;
/** Punctuation around an email address. */
const AROUND = /^(?:mailto:|["'“”‘’([])+|["'“”‘’)\].]+$/gi;
const QUOTED = /"(?:[^"\\]|\\.)*"/g;
/** A name with or without commas followed by its address, as copied from Outlook. */
const NAMED = /^[^<>@]*<\s*([^<>\s]+@[^<>\s]+)\s*>\s*$/;
/** Text between commas, semicolons and line breaks. */
const ENTRY = /(?:"(?:[^"\\]|\\.)*"|<[^<>]*>|[^,;\r\n"<>])+/g;

/**
 * Extracts the email addresses from a list. `Ada <ada@acme.test>` becomes the address alone, because mail programs
 * put it in angle brackets after the name (RFC 5322 §3.4). Text that isn't a name is kept, because nothing should be
 * lost unnoticed.
 */
const addressesIn = (typed: string): string[] =>
  linesOf(typed.replace(INVISIBLE, '')).flatMap((line) => {
    const [, address] = NAMED.exec(line) ?? [];
    return address === undefined ? entriesIn(line) : [address];
  });

/** Splits at semicolons and line breaks outside quoted names. */
function linesOf(typed: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [piece] of typed.matchAll(/"(?:[^"\\]|\\.)*"|[;\r\n]|[^;\r\n"]+|"/g)) {
    if (!/^[;\r\n]$/.test(piece)) line += piece;
    else {
      lines.push(line);
      line = '';
    }
  }
  return [...lines, line];
}

/** Strips the punctuation around an address. Returns any other text unchanged. */
function bare(text: string): string {
  const address = text.replace(AROUND, '');
  return isEmail(address) ? address : text;
}

const entriesIn = (line: string): string[] =>
  (line.match(ENTRY) ?? []).flatMap((entry) => {
    const bracketed = [...entry.matchAll(/<\s*([^<>\s]+@[^<>\s]+)\s*>/g)].map(([, address = '']) => address);
    if (bracketed.length === 0) return splitTags(entry).map(bare);
    const beside = splitTags(entry.replace(QUOTED, ' ').replace(/<[^<>]*>/g, ' ')).filter((text) => text.includes('@'));
    return [...beside.map(bare), ...bracketed];
  });

/**
 * Adds typed or pasted addresses, ignoring duplicates regardless of case.
 * @returns the tags, at most `INVITE_EMAILS_MAX`, and the number that didn't fit
 */
export const addTags = (tags: readonly Tag[], typed: string): { tags: Tag[]; leftOut: number } =>
  addTexts(tags, addressesIn(typed), { max: INVITE_EMAILS_MAX, isValid: isEmail });

/** Returns true if pasted text consists of whole addresses rather than part of an address. */
export const isComplete = (text: string): boolean => hasSeveralTags(text) || isEmail(text.trim());
