/** Maximum length of a string that is compared or stored as a name. */
const LONGEST = 2_000;

/**
 * Composes a string (NFC), which makes equal names equal strings. Strings too long for a name stay unchanged, because
 * composing takes time that grows with the square of the number of accents.
 */
export const composed = (text: string): string => (text.length > LONGEST ? text : text.normalize());

/**
 * Reduces white space between words to one space, because several spaces look like one. Line breaks are kept here and
 * refused later.
 */
export const collapseSpaces = (name: string): string => name.replace(/[\p{Zs}\t]+/gu, ' ');

/** Returns a name's uniqueness key. Names that differ only in case or white space have the same key. */
export const nameKey = (name: string): string => collapseSpaces(name).trim().toLowerCase();

/** Replaces any other encoding in the XML declaration with UTF-8, because the portal stores and serves XML as UTF-8. */
export const declareUtf8 = (xml: string): string =>
  xml.replace(/^(\s*<\?xml\s[^>]*?\sencoding\s*=\s*["'])(?!utf-8["'])[\w.:-]+/i, '$1UTF-8');

/** Returns a person's full name. The first or last name can be empty. */
export const fullNameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`.trim();

/**
 * Latin letters that don't decompose into a letter and an accent, with their ASCII transliterations. Collation treats
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
  // Needed for strings whose accents haven't been removed.
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

/** Removes case and accents from a string, to search within it as the member search does. */
export const plainText = (text: string): string =>
  transliterate(text.normalize('NFD').replace(/\p{M}/gu, '')).toLowerCase();
