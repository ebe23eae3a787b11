import { randomBytes, randomInt } from 'node:crypto';
import { TYPED_CODE_ALPHABET } from '@orchestrate/shared';

/** Everything unpredictable: ids, codes and secrets. */
export interface Random {
  /** 128 random bits, base64url: 22 characters. */
  id(): string;
  /** 256 random bits, base64url: 43 characters. */
  secret(): string;
  /** `length` decimal digits, leading zeros included. */
  digits(length: number): string;
  /** `length` characters that people can read aloud and type. */
  typedCode(length: number): string;
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
}

/** Random from the operating system, without modulo bias. */
export function createRandom(): Random {
  const characters = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
  return {
    id: () => randomBytes(16).toString('base64url'),
    secret: () => randomBytes(32).toString('base64url'),
    digits: (length) => characters('0123456789', length),
    typedCode: (length) => characters(TYPED_CODE_ALPHABET, length),
    below: (end) => randomInt(end),
  };
}
