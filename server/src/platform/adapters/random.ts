import { randomFillSync, randomInt } from 'node:crypto';
import { TYPED_CODE_ALPHABET } from '@orchestrate/shared';

/** Generates ids, codes and secrets. */
export interface Random {
  /** Returns 128 random bits as base64url (22 characters). */
  id(): string;
  /**
   * Returns an id of 48 bits of time (milliseconds since the epoch) and 80 random bits. Ids of the same time are adjacent
   * in an index, which speeds up bulk inserts. Don't use it for secret ids.
   */
  idAt(time: number): string;
  /** Returns 256 random bits as base64url (43 characters). */
  secret(): string;
  /** Returns `length` decimal digits, including leading zeros. */
  digits(length: number): string;
  /** Returns `length` characters that are easy to read aloud and type. */
  typedCode(length: number): string;
  /** Returns an integer from 0 to below `end`. */
  below(end: number): number;
}

/** Bytes drawn at a time; one system call per id would take a tenth of the time of a bulk invite. */
const DRAWN_BYTES = 4_096;

/** Creates a generator that uses the operating system's randomness, without modulo bias. */
export function createRandom(): Random {
  const drawn = Buffer.alloc(DRAWN_BYTES);
  let used = drawn.length;

  /** Returns unused bytes, valid until the next call. */
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
