import { randomFillSync, randomInt } from 'node:crypto';
import { TYPED_CODE_ALPHABET } from '@orchestrate/shared';

/** Generates random IDs, codes and secrets. */
export interface Random {
  /** Returns 128 random bits as base64url (22 characters). */
  id(): string;
  /**
   * Returns an ID made of 48 bits of time (milliseconds since the epoch) and 80 random bits. IDs created at the same
   * time are adjacent in an index, which speeds up bulk inserts. Don't use these IDs as secrets.
   */
  idAt(time: number): string;
  /** Returns 256 random bits as base64url (43 characters). */
  secret(): string;
  /** Returns `length` decimal digits, including leading zeros. */
  digits(length: number): string;
  /** Returns `length` characters that are easy to read aloud and type. */
  typedCode(length: number): string;
  /** Returns a random integer from 0 up to but not including `end`. */
  below(end: number): number;
}

/**
 * Bytes read from the operating system at a time. One system call per ID would take up a tenth of a bulk invite's
 * duration.
 */
const DRAWN_BYTES = 4_096;

/** Creates a generator backed by the operating system's randomness, without modulo bias. */
export function createRandom(): Random {
  const drawn = Buffer.alloc(DRAWN_BYTES);
  let used = drawn.length;

  /** Returns unused random bytes, valid until the next call. */
  function bytes(length: number): Buffer {
    if (used + length > drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    used += length;
    return drawn.subarray(used - length, used);
  }

  const characters = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
  return {
    id: () => bytes(16).toString('base64url'),
    idAt(time) {
      const made = bytes(16);
      made.writeUIntBE(time, 0, 6);
      return made.toString('base64url');
    },
    secret: () => bytes(32).toString('base64url'),
    digits: (length) => characters('0123456789', length),
    typedCode: (length) => characters(TYPED_CODE_ALPHABET, length),
    below: (end) => randomInt(end),
  };
}
