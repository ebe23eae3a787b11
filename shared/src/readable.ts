/**
 * Characters by which a text looks like another one, or that nobody sees: controls, what turns the direction of writing
 * around, what has no width, line and paragraph separators, halves of a pair, and code points that are not characters
 * (Unicode 17 §23, UTS #39 §3.1). Texts in right-to-left scripts need none of them.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;

/** Between letters of these, joiners change the letters' shapes (RFC 5892 A.1, A.2). */
const JOINED_SCRIPTS = String.raw`\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}`;

/** What is part of how a text is written: in emoji, in scripts with joined letters, and in variants of ideographs. */
const WRITTEN = new RegExp(
  [
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}])\u200D(?=\p{Extended_Pictographic})`,
    String.raw`(?<=[\p{Emoji}\u{20E3}])[\uFE0E\uFE0F]`,
    String.raw`(?<=[${JOINED_SCRIPTS}])[\u200C\u200D](?=[${JOINED_SCRIPTS}])`,
    String.raw`(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]`,
  ].join('|'),
  'gu',
);

const LINE_BREAKS = /[\t\n\r]/g;

/** Most texts: nothing else need be asked of them. */
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * Why a text is not one by which people could decide, as a sentence for them; undefined where it is.
 * @param isMultiline whether it may have line breaks
 */
export function hiddenCharacter(text: string, isMultiline = false): string | undefined {
  if (PLAIN.test(text)) return undefined;
  const plain = (isMultiline ? text.replace(LINE_BREAKS, ' ') : text).replace(WRITTEN, '');
  const found = HIDDEN.exec(plain)?.[0];
  return found && `Characters that cannot be seen are not allowed here (${codePoint(found)})`;
}

/** A text that was kept before such characters were refused, with each of them named in its place: `Ann⟨U+202E⟩`. */
export function visibleText(text: string): string {
  if (PLAIN.test(text) || !HIDDEN.test(text)) return text;
  const kept = new Map<number, string>();
  for (const { index, 0: found } of text.matchAll(WRITTEN)) kept.set(index, found);
  return text.replace(EACH_HIDDEN, (found, at: number) => kept.get(at) ?? `⟨${codePoint(found)}⟩`);
}

const EACH_HIDDEN = new RegExp(HIDDEN, 'gu');

const codePoint = (sign: string): string =>
  `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
