import { BerReader } from 'ldapts';

/** A message is not what RFC 4511 says. */
export class Malformed extends Error {}

const OCTET_STRING = 0x04;

/**
 * Reads BER strictly: the library answers null where a message ends too early, and its own loops would not end then.
 */
export interface StrictReader {
  /** The tag of the next element; undefined at the end. */
  next(): number | undefined;
  text(tag?: number): string;
  /** The bytes of the next element. */
  contents(tag: number): Buffer;
  whole(): number;
  enumerated(): number;
  flag(): boolean;
  /** Enters the next element and reads all that is in it. */
  inside<T>(tag: number, read: (within: StrictReader) => T): T;
  /** Passes over the next element. */
  skip(): void;
}

/** @throws Malformed */
export function strictReader(bytes: Buffer): StrictReader {
  const reader = new BerReader(bytes);

  /** What is read must also be passed: the library takes a length above 2 GiB for a negative one, and would go back. */
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
