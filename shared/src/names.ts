/** No text that is compared or kept as a name is longer. */
const LONGEST = 2_000;

/**
 * A text in composed form (NFC), so that equal names are equal texts. One that is too long for a name stays as it is:
 * composing it takes time that grows with the square of its accents.
 */
export const composed = (text: string): string => (text.length > LONGEST ? text : text.normalize());

/** A name with one space between its words, because several look like one. Line breaks stay, and are refused. */
export const collapseSpaces = (name: string): string => name.replace(/[\p{Zs}\t]+/gu, ' ');

/** The key by which names are unique: names that differ only in case or white space are the same. */
export const nameKey = (name: string): string => collapseSpaces(name).trim().toLowerCase();

/** XML text that is stored and served as UTF-8: another encoding in its declaration is replaced. */
export const declareUtf8 = (xml: string): string =>
  xml.replace(/^(\s*<\?xml\s[^>]*?\sencoding\s*=\s*["'])(?!utf-8["'])[\w.:-]+/i, '$1UTF-8');

/** A person's name as people write it. Either part may be empty. */
export const fullNameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`.trim();

/**
 * Latin letters that are not a letter with an accent, as they are written where they cannot be typed. An alphabetical
 * order takes the two for the same; so does every search.
 */
export const WRITTEN_OUT: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O' },
  // Before their accents are taken off, where anything does so, nobody has written these two out.
  ...{ ǽ: 'ae', Ǽ: 'AE', ǣ: 'ae', Ǣ: 'AE', ǿ: 'o', Ǿ: 'O' },
  ...{ ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ð: 'd', Ð: 'D', ħ: 'h', Ħ: 'H' },
};

const LETTERS = new RegExp(`[${Object.keys(WRITTEN_OUT).join('')}]`, 'g');

/** `Strauss` for `Strauß`. */
export const writtenOut = (text: string): string => text.replace(LETTERS, (letter) => WRITTEN_OUT[letter] ?? letter);

/** A text without case and accents, to look for another one in it: as the search for members finds it. */
export const plainText = (text: string): string =>
  writtenOut(text.normalize('NFD').replace(/\p{M}/gu, '')).toLowerCase();
