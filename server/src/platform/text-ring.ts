/** Bytes of a segment. */
const SEGMENT_BYTES = 524_288;
const MAX_BYTES_PER_UNIT = 3;
const LENGTH_BYTES = 4;

/**
 * Texts kept outside the heap, because the garbage collector would move each of them twice, and then search the whole
 * heap for what became of it. The oldest are forgotten, a segment at a time.
 */
export interface TextRing {
  /**
   * Keeps one text, which is given in two parts so that they need not be joined before.
   * @returns its place, a number that grows; undefined for a text that is longer than a segment may be
   */
  keep(beginning: string, rest: string): number | undefined;
  /** Undefined for a text that is forgotten. */
  read(place: number): string | undefined;
  isKept(place: number): boolean;
}

/** @param maxBytes taken at most; memory is taken as texts come */
export function createTextRing(maxBytes: number): TextRing {
  const count = Math.ceil(maxBytes / SEGMENT_BYTES);
  const segments: Buffer[] = [];
  /** The place of the next text: the number of its segment, times the size of one, plus where it begins there. */
  let next = 0;
  let segment: Buffer = Buffer.alloc(0);

  function enter(number: number): void {
    const index = number % count;
    segment = segments[index] ??= Buffer.allocUnsafeSlow(SEGMENT_BYTES);
    next = number * SEGMENT_BYTES;
  }

  const isKept = (place: number): boolean =>
    Math.floor(place / SEGMENT_BYTES) + count > Math.floor(next / SEGMENT_BYTES);

  return {
    keep(beginning, rest) {
      const most = LENGTH_BYTES + (beginning.length + rest.length) * MAX_BYTES_PER_UNIT;
      if (most > SEGMENT_BYTES) return undefined;
      if (segments.length === 0) enter(0);
      // The last byte stays free, so that the next place is in the same segment.
      else if ((next % SEGMENT_BYTES) + most >= SEGMENT_BYTES) enter(Math.floor(next / SEGMENT_BYTES) + 1);
      const place = next;
      const start = place % SEGMENT_BYTES;
      let length = segment.write(beginning, start + LENGTH_BYTES, 'utf8');
      if (rest !== '') length += segment.write(rest, start + LENGTH_BYTES + length, 'utf8');
      segment.writeUInt32LE(length, start);
      next += LENGTH_BYTES + length;
      return place;
    },
    read(place) {
      if (!isKept(place)) return undefined;
      const bytes = segments[Math.floor(place / SEGMENT_BYTES) % count];
      const start = (place % SEGMENT_BYTES) + LENGTH_BYTES;
      return bytes?.toString('utf8', start, start + bytes.readUInt32LE(start - LENGTH_BYTES));
    },
    isKept,
  };
}
