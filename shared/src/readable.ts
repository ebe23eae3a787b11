/**
 * Characters that are invisible or make one string look like another: controls, characters that reverse the writing
 * direction or have no width, line and paragraph separators, lone surrogates, and noncharacters (Unicode 17 §23, UTS
 * #39 §3.1). Text in right-to-left scripts needs none of them.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;

/** Scripts in which joiners between letters change the letters' shapes (RFC 5892 A.1, A.2). */
const JOINED_SCRIPTS = String.raw`\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}`;

/** Legitimate uses of hidden characters: in emoji, in scripts with joined letters, and in ideograph variants. */
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

/** Matches most strings, which then need no further checks. */
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * Returns an error message if a string contains hidden characters, otherwise undefined.
 * @param isMultiline true to allow line breaks
 */
export function hiddenCharacter(text: string, isMultiline = false): string | undefined {
  if (PLAIN.test(text)) return undefined;
  const plain = (isMultiline ? text.replace(LINE_BREAKS, ' ') : text).replace(WRITTEN, '');
  const found = HIDDEN.exec(plain)?.[0];
  return found && `Invisible characters are not allowed here (${codePoint(found)})`;
}

/** Makes hidden characters in older strings visible by replacing each with its name: `Ann⟨U+202E⟩`. */
export function visibleText(text: string): string {
  if (PLAIN.test(text) || !HIDDEN.test(text)) return text;
  const legitimate = new Map<number, string>();
  for (const { index, 0: found } of text.matchAll(WRITTEN)) legitimate.set(index, found);
  return text.replace(EACH_HIDDEN, (found, at: number) => legitimate.get(at) ?? `⟨${codePoint(found)}⟩`);
}

const EACH_HIDDEN = new RegExp(HIDDEN, 'gu');

const codePoint = (sign: string): string =>
  `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
