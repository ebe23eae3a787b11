import { randomFillSync, randomInt } from 'node:crypto';
import { TYPED_CODE_ALPHABET } from '@orchestrate/shared';

/** Everything unpredictable: ids, codes and secrets. */
export interface Random {
  /** 128 random bits, base64url: 22 characters. */
  id(): string;
  /**
   * An id of which 48 bits are the time (milliseconds since the epoch) and 80 are random, for rows inserted by the
   * hundred thousand: ids made together are adjacent in an index. Use it only where the id need not be secret.
   */
  idAt(time: number): string;
  /** 256 random bits, base64url: 43 characters. */
  secret(): string;
  /** `length` decimal digits, leading zeros included. */
  digits(length: number): string;
  /** `length` characters that people can read aloud and type. */
  typedCode(length: number): string;
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
}

/** Bytes requested at once: a separate request per id would take a tenth of the time of inviting a file. */
const DRAWN_BYTES = 4_096;

/** Random from the operating system, without modulo bias. */
export function createRandom(): Random {
  const drawn = Buffer.alloc(DRAWN_BYTES);
  let used = drawn.length;

  /** Bytes that are handed out only once; read them before requesting more. */
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
