import { email, INVITE_EMAILS_MAX } from '@orchestrate/shared';
import { addTags as addTexts, holdsSeveral, splitTags, type Tag } from '#ui/form/tags.ts';

const isEmail = (text: string) => email.safeParse(text).success;

/** Zero-width characters and soft hyphens, which come with text that is copied from a page. */
const INVISIBLE = /[\u00AD\u200B-\u200D\u2060\uFEFF]/g;
/** What stands around an address in a text. */
const AROUND = /^(?:mailto:|["'“”‘’([])+|["'“”‘’)\].]+$/gi;
const QUOTED = /"(?:[^"\\]|\\.)*"/g;
/** A name, with commas or without, and its address, as Outlook copies them. */
const NAMED = /^[^<>@]*<\s*([^<>\s]+@[^<>\s]+)\s*>\s*$/;
/** What stands between commas, semicolons and line ends. */
const ENTRY = /(?:"(?:[^"\\]|\\.)*"|<[^<>]*>|[^,;\r\n"<>])+/g;

/**
 * The addresses of a list. `Ada <ada@acme.test>` becomes the address alone: mail programs put it in angle brackets
 * after the name (RFC 5322 §3.4). Whatever is not a name stays, so that nothing is lost unseen.
 */
const addressesIn = (typed: string): string[] =>
  linesOf(typed.replace(INVISIBLE, '')).flatMap((line) => {
    const [, address] = NAMED.exec(line) ?? [];
    return address === undefined ? entriesIn(line) : [address];
  });

/** The parts between semicolons and line ends, which may also stand in a quoted name. */
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

/** An address without what stands around it; any other text as it is. */
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
 * Adds what was typed or pasted; an address that is there already, in any case, is not added again.
 * @returns the tags, at most `INVITE_EMAILS_MAX`, and how many did not fit.
 */
export const addTags = (tags: readonly Tag[], typed: string): { tags: Tag[]; leftOut: number } =>
  addTexts(tags, addressesIn(typed), { max: INVITE_EMAILS_MAX, isValid: isEmail });

/** Whether a pasted text is one or several whole addresses, and not part of one. */
export const isComplete = (text: string): boolean => holdsSeveral(text) || isEmail(text.trim());
