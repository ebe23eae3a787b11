/** Repeatable randomness: the same name gives the same values, on every machine. */
export interface Prng {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  /** True with probability `share`, 0 to 1. */
  chance(share: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** `length` decimal digits. */
  digits(length: number): string;
  /** Looks like the server's ids: 22 base64url characters. */
  id(): string;
}

const ID_BYTES = 16;
const idBytes = Buffer.alloc(ID_BYTES);
const idWords = new DataView(idBytes.buffer, idBytes.byteOffset);

/** Each name has a stream of its own, so that adding something for one person changes nothing for the others. */
export function createPrng(name: string): Prng {
  const word = createWords(name);
  const below = (end: number) => Math.floor((word() / 2 ** 32) * end);
  return {
    below,
    chance: (share) => word() < share * 2 ** 32,
    pick: (items) => items[below(items.length)] ?? items[0],
    digits: (length) => String(below(10 ** length)).padStart(length, '0'),
    id() {
      for (let offset = 0; offset < ID_BYTES; offset += 4) idWords.setUint32(offset, word(), true);
      return idBytes.toString('base64url');
    },
  };
}

/** 32 bits at a time: sfc32 by Chris Doty-Humphrey, its four words drawn from the name by an FNV-like hash. */
function createWords(name: string): () => number {
  let hash = 0x811c9dc5;
  const mix = () => {
    for (let index = 0; index < name.length; index += 1) {
      hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
    }
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return (hash ^ (hash >>> 13)) | 0;
  };
  let [a, b, c, counter] = [mix(), mix(), mix(), 1];
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round += 1) next();
  return next;
}
