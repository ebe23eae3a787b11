import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Packet codes (RFC 2865 §3, RFC 5997 §3). */
export const CODE = {
  accessRequest: 1,
  accessAccept: 2,
  accessReject: 3,
  accessChallenge: 11,
  statusServer: 12,
} as const;

/** Attribute types (RFC 2865 §5, RFC 2869 §5, RFC 3579 §3). */
export const ATTRIBUTE = {
  userName: 1,
  userPassword: 2,
  chapPassword: 3,
  nasIpAddress: 4,
  filterId: 11,
  replyMessage: 18,
  state: 24,
  callingStationId: 31,
  nasIdentifier: 32,
  proxyState: 33,
  arapPassword: 70,
  eapMessage: 79,
  messageAuthenticator: 80,
} as const;

export interface Attribute {
  type: number;
  value: Buffer;
}

/** A received request, or a reply to write. */
export interface RadiusPacket {
  code: number;
  /** Byte that a client uses to tell its pending requests apart. */
  identifier: number;
  /** The request's 16 random bytes. */
  authenticator: Buffer;
  attributes: Attribute[];
  /** The packet's bytes without padding. */
  bytes: Buffer;
}

const HEADER_LENGTH = 20;
const LENGTH_MAX = 4_096;
const DIGEST_LENGTH = 16;
/** Maximum length of an attribute value, in bytes. */
const VALUE_MAX = 253;

/** Parses a packet. Returns undefined if RFC 2865 §3 requires discarding it. */
export function readPacket(datagram: Buffer): RadiusPacket | undefined {
  if (datagram.length < HEADER_LENGTH) return undefined;
  const length = datagram.readUInt16BE(2);
  if (length < HEADER_LENGTH || length > LENGTH_MAX || length > datagram.length) return undefined;
  const bytes = datagram.subarray(0, length);
  const attributes: Attribute[] = [];
  for (let at = HEADER_LENGTH; at < length; ) {
    const size = bytes[at + 1] ?? 0;
    if (size < 2 || at + size > length) return undefined;
    attributes.push({ type: bytes.readUInt8(at), value: bytes.subarray(at + 2, at + size) });
    at += size;
  }
  return {
    code: bytes.readUInt8(0),
    identifier: bytes.readUInt8(1),
    authenticator: bytes.subarray(4, HEADER_LENGTH),
    attributes,
    bytes,
  };
}

/** Returns an attribute's values, in order. */
export const valuesOf = ({ attributes }: RadiusPacket, type: number): Buffer[] =>
  attributes.filter((attribute) => attribute.type === type).map(({ value }) => value);

/** Returns an attribute's first value as text, or '' if it is missing. */
export const textOf = (packet: RadiusPacket, type: number): string =>
  packet.attributes.find((attribute) => attribute.type === type)?.value.toString('utf8') ?? '';

/** Returns true if the request has a Message-Authenticator to verify. */
export const hasMessageAuthenticator = (packet: RadiusPacket): boolean =>
  valuesOf(packet, ATTRIBUTE.messageAuthenticator).length > 0;

/**
 * Returns a function that verifies a secret against the request (RFC 3579 §3.2), or undefined if the request doesn't
 * have exactly one Message-Authenticator. Packets without it are unprotected, which lets Blast-RADIUS (CVE-2024-3596)
 * forge responses.
 */
export function createSecretVerifier(packet: RadiusPacket): ((secret: string) => boolean) | undefined {
  const found = valuesOf(packet, ATTRIBUTE.messageAuthenticator);
  const [given] = found;
  if (found.length !== 1 || given?.length !== DIGEST_LENGTH) return undefined;
  const at = given.byteOffset - packet.bytes.byteOffset;
  const zeroed = Buffer.from(packet.bytes);
  zeroed.fill(0, at, at + DIGEST_LENGTH);
  return (secret) => timingSafeEqual(createHmac('md5', secret).update(zeroed).digest(), given);
}

/**
 * Writes a reply. The Message-Authenticator comes first, so Blast-RADIUS can't insert anything before it. Proxy-State
 * is returned unchanged (RFC 2865 §5.33).
 */
export function writeReply(
  request: RadiusPacket,
  secret: string,
  { code, attributes }: { code: number; attributes: readonly Attribute[] },
): Buffer {
  const proxied = request.attributes.filter(({ type }) => type === ATTRIBUTE.proxyState);
  const all = [{ type: ATTRIBUTE.messageAuthenticator, value: Buffer.alloc(DIGEST_LENGTH) }, ...attributes, ...proxied];
  const whole = bytesOf(all);
  // If the reply is too long, drop the Reply-Message, the only attribute that can be omitted (RFC 2865 §3).
  const isTooLong = HEADER_LENGTH + whole.length > LENGTH_MAX;
  const body = isTooLong ? bytesOf(all.filter(({ type }) => type !== ATTRIBUTE.replyMessage)) : whole;
  const header = Buffer.alloc(4);
  header.writeUInt8(code, 0);
  header.writeUInt8(request.identifier, 1);
  header.writeUInt16BE(HEADER_LENGTH + body.length, 2);
  const reply = Buffer.concat([header, request.authenticator, body]);
  createHmac('md5', secret)
    .update(reply)
    .digest()
    .copy(reply, HEADER_LENGTH + 2);
  createHash('md5').update(reply).update(secret).digest().copy(reply, 4);
  return reply;
}

const bytesOf = (attributes: readonly Attribute[]): Buffer =>
  Buffer.concat(attributes.flatMap(({ type, value }) => [Buffer.of(type, value.length + 2), value]));

/** Encodes text as an attribute, truncated at a character boundary if it doesn't fit. */
export function textAttribute(type: number, text: string): Attribute {
  let cut = text;
  while (Buffer.byteLength(cut) > VALUE_MAX) cut = [...cut].slice(0, -1).join('');
  return { type, value: Buffer.from(cut) };
}
