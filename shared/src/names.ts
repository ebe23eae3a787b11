/** Maximum length of a text that is compared or stored as a name. */
const LONGEST = 2_000;

/**
 * Composes a text (NFC), so that equal names are equal texts. A text too long for a name stays unchanged: composing
 * takes time that grows with the square of its accents.
 */
export const composed = (text: string): string => (text.length > LONGEST ? text : text.normalize());

/** Reduces white space between words to one space, because several look like one. Line breaks stay, and are refused. */
export const collapseSpaces = (name: string): string => name.replace(/[\p{Zs}\t]+/gu, ' ');

/** Returns the key by which names are unique: names that differ only in case or white space are the same. */
export const nameKey = (name: string): string => collapseSpaces(name).trim().toLowerCase();

/**
 * Declares XML text as UTF-8, because it is stored and served as such: replaces any other encoding in its declaration.
 */
export const declareUtf8 = (xml: string): string =>
  xml.replace(/^(\s*<\?xml\s[^>]*?\sencoding\s*=\s*["'])(?!utf-8["'])[\w.:-]+/i, '$1UTF-8');

/** Returns a person's full name. Either part can be empty. */
export const fullNameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`.trim();

/**
 * Latin letters that don't decompose into a letter with an accent, and their ASCII transliterations. Collation treats
 * both as equal, and so do all searches.
 */
export const TRANSLITERATIONS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  // Needed for texts whose accents have not been removed.
  ǽ: 'ae',
  Ǽ: 'AE',
  ǣ: 'ae',
  Ǣ: 'AE',
  ǿ: 'o',
  Ǿ: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  ħ: 'h',
  Ħ: 'H',
};

const LETTERS = new RegExp(`[${Object.keys(TRANSLITERATIONS).join('')}]`, 'g');

/** Transliterates letters: `Strauss` for `Strauß`. */
export const transliterate = (text: string): string =>
  text.replace(LETTERS, (letter) => TRANSLITERATIONS[letter] ?? letter);

/** Removes case and accents from a text, for finding another text in it like the member search does. */
export const plainText = (text: string): string =>
  transliterate(text.normalize('NFD').replace(/\p{M}/gu, '')).toLowerCase();
