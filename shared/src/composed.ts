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
