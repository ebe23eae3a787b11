import { RESERVED_SEGMENTS } from '@orchestrate/shared';

/** Organisation of a demo, as entered by the visitor. */
export interface Company {
  name: string;
  /** Brand colour, as `#rrggbb`. */
  colour: string;
}

const CODE_MAX_LENGTH = 40;

/**
 * Derives an organisation code from the Latin letters and digits in a name, shortened to whole words. Falls back to
 * `our-company` if the name contains none, or if the code would be one of the portal's paths.
 */
export function orgCodeOf(name: string): string {
  const words = foldLatin(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const isLong = words.length > CODE_MAX_LENGTH;
  const code = isLong
    ? words
        .slice(0, CODE_MAX_LENGTH + 1)
        .replace(/-[^-]*$/, '')
        .slice(0, CODE_MAX_LENGTH)
    : words;
  return code === '' || RESERVED_SEGMENTS.has(code) ? 'our-company' : code;
}

const PLAIN: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', ß: 'ss', æ: 'ae', œ: 'oe', đ: 'd', ı: 'i' };

/** Lowercases a name and removes diacritics. Leaves other scripts unchanged. */
export const foldLatin = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[łøßæœđı]/g, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '');
