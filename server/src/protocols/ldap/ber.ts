import { BerReader } from 'ldapts';

/** Thrown for a message that violates RFC 4511. */
export class Malformed extends Error {}

const OCTET_STRING = 0x04;

/** Reads BER strictly: the library returns null for truncated messages, which would keep its own loops running. */
export interface StrictReader {
  /** Tag of the next element; undefined at the end. */
  next(): number | undefined;
  text(tag?: number): string;
  /** Contents of the next element. */
  contents(tag: number): Buffer;
  whole(): number;
  enumerated(): number;
  flag(): boolean;
  /** Enters the next element and reads all of it. */
  inside<T>(tag: number, read: (within: StrictReader) => T): T;
  /** Skips the next element. */
  skip(): void;
}

/** Creates a reader. @throws Malformed */
export function strictReader(bytes: Buffer): StrictReader {
  const reader = new BerReader(bytes);

  /** Requires the position to advance: the library reads a length above 2 GiB as negative and would move back. */
  function passed<T>(read: () => T | null): T {
    const before = reader.offset;
    const value = read();
    if (value === null || reader.offset <= before) throw new Malformed('The message ends too early.');
    return value;
  }
  const contents = (tag: number): Buffer => passed(() => reader.readString(tag, true));
  const next = () => (reader.remain > 0 ? (reader.peek() ?? undefined) : undefined);

  return {
    next,
    contents,
    text: (tag = OCTET_STRING) => contents(tag).toString('utf8'),
    whole: () => passed(() => reader.readInt()),
    enumerated: () => passed(() => reader.readEnumeration()),
    flag: () => passed(() => reader.readBoolean()),
    inside: (tag, read) => read(strictReader(contents(tag))),
    skip() {
      contents(next() ?? OCTET_STRING);
    },
  };
}
