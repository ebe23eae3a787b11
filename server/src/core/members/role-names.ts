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
const ofSystem: ReadonlySet<string> = new Set([...SYSTEM_NAMES, ...SYSTEM].map(letters));

/** A word with letters of two alphabets, such as a Cyrillic one that looks like a Latin one (UTS #39 §5). */
const MIXED_WORD =
  /\p{Script=Latin}[\p{M}\p{N}]*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}][\p{M}\p{N}]*\p{Script=Latin}/u;

/** Why a name could pass for that of a system role, as a sentence; undefined if it could not. */
export function impersonation(name: string): string | undefined {
  if (MIXED_WORD.test(name)) return 'A word has letters of two alphabets';
  return ofSystem.has(letters(name)) ? 'This looks like the name of a system role' : undefined;
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
