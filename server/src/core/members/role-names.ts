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

/** Whether two names look the same to people, ignoring case and invisible characters. */
export const isSameName = (a: string, b: string): boolean => keyOf(a) === keyOf(b);
const keyOf = (name: string) =>
  name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
