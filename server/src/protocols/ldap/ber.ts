import { BerReader } from 'ldapts';

/** Thrown for a message that violates RFC 4511. */
export class Malformed extends Error {}

const OCTET_STRING = 0x04;

/** Reads BER strictly. Throws on truncated messages, for which the library returns null, so loops would never end. */
export interface StrictReader {
  /** Returns the tag of the next element, or undefined at the end. */
  next(): number | undefined;
  text(tag?: number): string;
  /** Reads the next element's contents. */
  contents(tag: number): Buffer;
  whole(): number;
  enumerated(): number;
  flag(): boolean;
  /** Reads the elements inside the next element. */
  inside<T>(tag: number, read: (within: StrictReader) => T): T;
  /** Skips the next element. */
  skip(): void;
}

/**
 * Creates a strict reader of a BER-encoded message.
 * @throws Malformed from its methods, if the message is truncated or invalid
 */
export function strictReader(bytes: Buffer): StrictReader {
  const reader = new BerReader(bytes);

  /**
   * Returns what `read` returns. Throws unless the position advances: the library reads a length above 2 GiB as
   * negative and would move backwards.
   */
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
