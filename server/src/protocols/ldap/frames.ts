import { Malformed } from './ber.ts';

/** A search with a filter of a thousand names has 50 kB. */
const MESSAGE_MAX_BYTES = 262_144;
/** Before a bind anyone can send messages: a bind with a long name and password has less than 1 kB. */
const UNBOUND_MAX_BYTES = 16_384;

/** Cuts what arrives into messages: each is a BER sequence with its length (X.690 §8.1.3). */
export interface Frames {
  /** The messages that are whole now. @throws Malformed for one that is too long, or is none */
  add(data: Buffer): Buffer[];
  /** Whether the last message has begun but is not whole. */
  isUnfinished(): boolean;
}

/** @param isBound whether the connection belongs to an account now: then messages may be longer */
export function createFrames(isBound: () => boolean): Frames {
  let kept = Buffer.alloc(0);
  return {
    add(data) {
      kept = kept.length === 0 ? Buffer.from(data) : Buffer.concat([kept, data]);
      const whole: Buffer[] = [];
      const max = isBound() ? MESSAGE_MAX_BYTES : UNBOUND_MAX_BYTES;
      const next = () => lengthOf(kept, max);
      for (let length = next(); length !== undefined && length <= kept.length; length = next()) {
        whole.push(kept.subarray(0, length));
        kept = kept.subarray(length);
      }
      return whole;
    },
    isUnfinished: () => kept.length > 0,
  };
}

/** Bytes of the first message with its header; undefined while the header has not arrived. */
function lengthOf(bytes: Buffer, max: number): number | undefined {
  const [tag, first] = bytes;
  if (tag === undefined) return undefined;
  if (tag !== 0x30) throw new Malformed('This is not an LDAP message.');
  if (first === undefined) return undefined;
  if (first < 0x80) return 2 + first;
  const size = first - 0x80;
  if (size === 0 || size > 4) throw new Malformed('The length of the message cannot be read.');
  if (bytes.length < 2 + size) return undefined;
  const length = 2 + size + bytes.readUIntBE(2, size);
  if (length > max) throw new Malformed('The message is too long.');
  return length;
}
