const ID_BYTES = 16;
const idBytes = Buffer.alloc(ID_BYTES);
const idWords = new DataView(idBytes.buffer, idBytes.byteOffset);

/**
 * Repeatable random numbers. The same name yields the same values on every machine. Each name has its own stream, so
 * additions for one person don't affect anyone else. The generator is sfc32 by Chris Doty-Humphrey, seeded with an
 * FNV-like hash of the name. It is a class because a process's first portal creates thousands of generators, and
 * objects with their own functions take several times the memory.
 */
export class Prng {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(name: string) {
    const first = mixed(name, 0x811c9dc5);
    const second = mixed(name, first);
    const third = mixed(name, second);
    this.a = folded(first);
    this.b = folded(second);
    this.c = folded(third);
    for (let round = 0; round < 12; round += 1) this.step();
  }

  /** Returns an integer from 0 to `end` - 1. */
  below(end: number): number {
    return Math.floor((this.word() / 2 ** 32) * end);
  }

  /** Returns true with probability `share`, from 0 to 1. */
  chance(share: number): boolean {
    return this.word() < share * 2 ** 32;
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] ?? items[0];
  }

  /** Returns `length` decimal digits. */
  digits(length: number): string {
    return String(this.below(10 ** length)).padStart(length, '0');
  }

  /** Returns an ID in the server's format: 22 base64url characters. */
  id(): string {
    for (let offset = 0; offset < ID_BYTES; offset += 4) idWords.setUint32(offset, this.word(), true);
    return idBytes.toString('base64url');
  }

  /** Returns the next 32 bits of the stream as an unsigned integer. */
  protected word(): number {
    return this.step();
  }

  private step(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }
}

function mixed(name: string, from: number): number {
  let hash = from;
  for (let index = 0; index < name.length; index += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  }
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
}

const folded = (hash: number): number => (hash ^ (hash >>> 13)) | 0;
