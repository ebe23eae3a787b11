import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** Attributes sent by tests, with their types in RFC 2865, 2869 and 3579. */
const TYPES = { name: 1, state: 24, callingStation: 31, nas: 32, proxyState: 33 } as const;

export interface RadiusRequest {
  secret: string;
  name?: string;
  /** Password of at most 16 characters. */
  password?: string;
  /** Password attribute to send unchanged. */
  hiddenPassword?: Buffer;
  /** EAP message to send instead of the password (RFC 3579 §3.1). */
  eap?: Buffer;
  /** Additional attributes by type. */
  more?: readonly (readonly [type: number, value: Buffer])[];
  /** State received in an Access-Challenge. */
  state?: string;
  callingStation?: string;
  nas?: string;
  /** An array if several proxies have forwarded the request. */
  proxyState?: string | readonly string[];
  /** Packet code. Default: 1, Access-Request. */
  code?: number;
  identifier?: number;
  /** False to omit the Message-Authenticator. The portal must not answer such a request. */
  isProtected?: boolean;
}

export interface RadiusAnswer {
  code: 'accept' | 'reject' | 'challenge';
  /** True if both authenticators of the response are valid. */
  isProven: boolean;
  message: string;
  state: string;
  userName: string;
  filterId: string;
  proxyState: string;
  bytes: Buffer;
}

/** An independent RADIUS client on one UDP port. */
export interface RadiusClient extends AsyncDisposable {
  socket: Socket;
  send(datagram: Buffer): void;
  /** Sends a request and waits for its response. */
  ask(request: RadiusRequest): Promise<RadiusAnswer>;
  /** Raw responses received so far. */
  received: Buffer[];
  /** Waits until `count` responses have been received. */
  until(count: number): Promise<void>;
}

const attribute = (type: number, value: Buffer) => Buffer.concat([Buffer.of(type, value.length + 2), value]);

/** Encodes a request. */
export function radiusRequest({
  secret,
  state,
  callingStation,
  nas,
  proxyState,
  name = 'user@acme.test',
  password = 'any password',
  hiddenPassword,
  eap,
  more = [],
  code = 1,
  identifier = randomBytes(1).readUInt8(),
  isProtected = true,
}: RadiusRequest): Buffer {
  const given = { name, state, callingStation, nas, proxyState };
  const texts = Object.entries(given).flatMap(([key, text = []]) =>
    [text].flat().flatMap((one) => (isType(key) ? attribute(TYPES[key], Buffer.from(one)) : [])),
  );
  const authenticator = randomBytes(16);
  const body = Buffer.concat([
    ...texts,
    eap ? attribute(79, eap) : attribute(2, hiddenPassword ?? hide(password, secret, authenticator)),
    ...more.map(([type, value]) => attribute(type, value)),
    ...(isProtected ? [attribute(80, Buffer.alloc(16))] : []),
  ]);
  const packet = Buffer.concat([Buffer.of(code, identifier, 0, 0), authenticator, body]);
  packet.writeUInt16BE(packet.length, 2);
  if (isProtected)
    createHmac('md5', secret)
      .update(packet)
      .digest()
      .copy(packet, packet.length - 16);
  return packet;
}

/** Hides a password (RFC 2865 §5.2). */
function hide(password: string, secret: string, authenticator: Buffer): Buffer {
  const key = createHash('md5').update(secret).update(authenticator).digest();
  return Buffer.from(password.padEnd(16, '\0')).map((byte, index) => byte ^ (key[index] ?? 0)) as Buffer;
}

const isType = (key: string): key is keyof typeof TYPES => Object.hasOwn(TYPES, key);

const CODES: Readonly<Record<number, RadiusAnswer['code']>> = { 2: 'accept', 3: 'reject', 11: 'challenge' };

/** Parses the response to `request` and verifies its authenticators (RFC 2865 §3, RFC 3579 §3.2). */
function readRadiusAnswer(bytes: Buffer, request: Buffer, secret: string): RadiusAnswer {
  const code = CODES[bytes.readUInt8(0)];
  if (!code || bytes.length !== bytes.readUInt16BE(2)) throw new Error("The packet isn't a RADIUS response.");
  const values = new Map<number, Buffer>();
  for (let at = 20; at < bytes.length; at += bytes.readUInt8(at + 1)) {
    values.set(bytes.readUInt8(at), bytes.subarray(at + 2, at + bytes.readUInt8(at + 1)));
  }
  const unsigned = Buffer.from(bytes);
  request.copy(unsigned, 4, 4, 20);
  const responseProof = createHash('md5').update(unsigned).update(secret).digest();
  const given = Buffer.from(values.get(80) ?? Buffer.alloc(0));
  unsigned.fill(0, 22, 38);
  const messageProof = createHmac('md5', secret).update(unsigned).digest();
  const text = (type: number) => values.get(type)?.toString() ?? '';
  return {
    code,
    isProven: bytes.readUInt8(20) === 80 && responseProof.equals(bytes.subarray(4, 20)) && messageProof.equals(given),
    message: text(18),
    state: text(TYPES.state),
    userName: text(TYPES.name),
    filterId: text(11),
    proxyState: text(TYPES.proxyState),
    bytes,
  };
}

export async function radiusClient(port: number): Promise<RadiusClient> {
  const socket = createSocket('udp4');
  const received: Buffer[] = [];
  const listeners = new Set<() => void>();
  let requestCount = 0;
  socket.on('message', (bytes) => {
    received.push(bytes);
    for (const listener of [...listeners]) listener();
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const send = (datagram: Buffer) => socket.send(datagram, port, '127.0.0.1');

  function found<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const look = () => {
        const one = find();
        if (one === undefined) return;
        listeners.delete(look);
        resolve(one);
      };
      listeners.add(look);
      look();
    });
  }

  return {
    socket,
    send,
    received,
    async ask(request) {
      // Unique per request, because responses identify their request only by this number.
      requestCount += 1;
      const packet = radiusRequest({ identifier: requestCount % 256, ...request });
      const before = received.length;
      send(packet);
      const bytes = await found(() => received.slice(before).find((answer) => answer[1] === packet[1]));
      return readRadiusAnswer(bytes, packet, request.secret);
    },
    async until(count) {
      await found(() => (received.length >= count ? true : undefined));
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => {
        socket.close(() => resolve());
      });
    },
  };
}
