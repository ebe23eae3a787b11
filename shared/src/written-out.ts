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
