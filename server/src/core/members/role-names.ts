import { SYSTEM_ROLE_CODES } from '@orchestrate/shared';

const SYSTEM: readonly string[] = SYSTEM_ROLE_CODES;

/** Maximum length of a role code. IDs have at most 64 characters, and a number may be appended. */
const CODE_MAX_LENGTH = 58;

/** Returns the code for a new role: `CAFE_TEAM` for `Café team`, with a number appended if that code is taken. */
export function roleCodeFor(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .slice(0, CODE_MAX_LENGTH)
    .replace(/^_+|_+$/g, '');
  const base = plain || 'ROLE';
  const used = new Set([...taken, ...SYSTEM]);
  let code = base;
  for (let number = 2; used.has(code); number += 1) code = `${base}_${number}`;
  return code;
}

/** Names of system roles and their common variants. */
const SYSTEM_NAMES = [
  'Super Admin',
  'Help Desk Admin',
  'Security Admin',
  'Call Center Admin',
  'Call Centre Admin',
  'Org User',
];
const letters = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace('administrator', 'admin')
    .replace(/s$/, '');

/**
 * Lookalike characters for the letters in system role names (UTS #39 §4), and common substitutes. `i` and `l` share
 * one shape.
 */
const SHAPES: Readonly<Record<string, string>> = {
  a: '4@ɑᴀ',
  c: 'ᴄ',
  d: 'đɗᴅ',
  e: '3€ᴇ',
  g: '69ɡɢ',
  h: 'ħʜ',
  i: '1!|ıɪlłʟ',
  k: 'ƙᴋ',
  m: 'ᴍ',
  n: 'ɴ',
  o: '0øᴏ',
  p: 'ᴘ',
  r: 'ʀ',
  s: '5$ꜱ',
  t: '7+ŧᴛ',
  u: 'ᴜ',
  y: 'ʏ',
};
const letterOf = new Map(Object.entries(SHAPES).flatMap(([letter, shapes]) => [...shapes].map((one) => [one, letter])));

/**
 * Replaces lookalike characters in a name. Separate or trailing digits are kept as numbers, as in `Level 1 support`
 * and `Admin2`.
 */
function drawn(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}]/gu, '');
  const end = /\P{L}*$/u.exec(plain)?.[0] ?? '';
  const words = plain
    .slice(0, plain.length - end.length)
    .replace(/[^\s_-]*\p{L}[^\s_-]*/gu, (word) => word.replace(/./gu, (one) => letterOf.get(one) ?? one));
  return words.replaceAll('rn', 'm') + end;
}

const ofSystem: ReadonlySet<string> = new Set([...SYSTEM_NAMES, ...SYSTEM].map(letters));
const drawnOfSystem: ReadonlySet<string> = new Set([...SYSTEM_NAMES, ...SYSTEM].map((name) => letters(drawn(name))));

const LIKE_LATIN = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu']
  .map((one) => `\\p{Script=${one}}`)
  .join('');
/** Matches a word that mixes letters of two alphabets, such as a Cyrillic letter among Latin letters (UTS #39 §5). */
const MIXED_WORD = new RegExp(
  `\\p{Script=Latin}[\\p{M}\\p{N}]*[${LIKE_LATIN}]|[${LIKE_LATIN}][\\p{M}\\p{N}]*\\p{Script=Latin}`,
  'u',
);

/** Returns an error message if a name could be mistaken for the name of a system role. */
export function impersonationError(name: string): string | undefined {
  if (MIXED_WORD.test(name)) return 'Words cannot mix alphabets';
  const isLike = ofSystem.has(letters(name)) || drawnOfSystem.has(letters(drawn(name)));
  return isLike ? 'This looks like the name of a system role' : undefined;
}

/** Returns true if two names look the same, ignoring case and invisible characters. */
export const isSameName = (a: string, b: string): boolean => keyOf(a) === keyOf(b);
const keyOf = (name: string) =>
  name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
