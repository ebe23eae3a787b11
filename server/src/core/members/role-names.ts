import { SYSTEM_ROLE_CODES } from '@orchestrate/shared';

const SYSTEM: readonly string[] = SYSTEM_ROLE_CODES;

/** Maximum length of a code: an id may have 64 characters, and a number may be appended. */
const CODE_MAX_LENGTH = 58;

/** The code of a new role: its name in capitals, `Café team` as `CAFE_TEAM`, with a number where that is taken. */
export function codeOfName(name: string, taken: readonly string[]): string {
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

/** The names of system roles, and what people call them. */
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
 * What is drawn almost as a letter of a system role's name (UTS #39 §4), and what people write for one. `i` and `l` are
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
 * A name as it looks. Digits beside the words, or after the last letter, are a number: `Level 1 support`, `Admin 2`.
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
/** A word with letters of two alphabets, such as a Cyrillic one that looks like a Latin one (UTS #39 §5). */
const MIXED_WORD = new RegExp(
  `\\p{Script=Latin}[\\p{M}\\p{N}]*[${LIKE_LATIN}]|[${LIKE_LATIN}][\\p{M}\\p{N}]*\\p{Script=Latin}`,
  'u',
);

/** Why a name could pass for that of a system role, as a sentence; undefined if it could not. */
export function impersonation(name: string): string | undefined {
  if (MIXED_WORD.test(name)) return 'Words cannot mix alphabets';
  const isLike = ofSystem.has(letters(name)) || drawnOfSystem.has(letters(drawn(name)));
  return isLike ? 'This looks like the name of a system role' : undefined;
}

/** Whether two names look the same to people, ignoring case and invisible characters. */
export const isSameName = (a: string, b: string): boolean => keyOf(a) === keyOf(b);
const keyOf = (name: string) =>
  name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
