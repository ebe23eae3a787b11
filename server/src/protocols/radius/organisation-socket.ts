import { createHash } from 'node:crypto';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { isIP, isIPv6 } from 'node:net';
import { type ExchangeOutcome, SECOND } from '@orchestrate/shared';
import {
  type BrowserlessSignIn,
  claimAnswered,
  isSignInFor,
  signInWithoutBrowser,
  whenAnswered,
} from '#core/sign-in/app-logins/sign-in-without-browser.ts';
import type { Deps } from '#deps.ts';
import { portProblem } from '#platform/port-unusable.ts';
import { Refusal } from '#platform/refusal.ts';
import { findRadiusApplication, type RadiusApplication } from './find-radius-application.ts';
import {
  ATTRIBUTE,
  type Attribute,
  CODE,
  isProtected,
  type RadiusPacket,
  readPacket,
  textAttribute,
  textOf,
  valuesOf,
  writeReply,
} from './packet.ts';
import { createQuietLog } from './quiet-log.ts';

/** A reply before it is signed for its request. */
interface RadiusReply {
  code: number;
  attributes: Attribute[];
}

/** A request that matches one of our applications. */
interface Received {
  packet: RadiusPacket;
  /** IP address of the client. */
  address: string;
}

type Send = (reply: RadiusReply) => void;

/**
 * Answers a request, immediately or when the user has answered.
 * @returns a function that cancels the wait; undefined if the request has been answered immediately
 */
function answerRequest(deps: Deps, found: RadiusApplication, received: Received, send: Send): (() => void) | undefined {
  try {
    return answer(deps, found, received, send);
  } catch (reason) {
    send(rejectionOf(reason));
    return undefined;
  }
}

/** @throws Refusal */
function answer(deps: Deps, found: RadiusApplication, received: Received, send: Send): (() => void) | undefined {
  const { packet } = received;
  // A client checks that the server is available (RFC 5997 §4.1).
  if (packet.code === CODE.statusServer) {
    send({ code: CODE.accessAccept, attributes: [] });
    return undefined;
  }
  requireOnce(packet);
  const name = textOf(packet, ATTRIBUTE.userName).trim();
  if (name === '') throw refused('The request must have a user name.');
  const { application, client } = found;
  const begun = textOf(packet, ATTRIBUTE.state);
  if (begun !== '') {
    if (!isSignInFor(deps, application, { loginId: begun, name })) throw new Refusal('EXPIRED');
    return wait(deps, found, received, { loginId: begun, send });
  }
  requirePap(packet);
  const asking = { application, protocol: 'radius' as const, method: client.method, name };
  const asked = signInWithoutBrowser(deps, { ...asking, requester: requesterOf(received) });
  const instruction = instructionOf(asked);
  if (instruction === undefined) return wait(deps, found, received, { loginId: asked.loginId, send });
  const state = { type: ATTRIBUTE.state, value: Buffer.from(asked.loginId) };
  send({ code: CODE.accessChallenge, attributes: [textAttribute(ATTRIBUTE.replyMessage, instruction), state] });
  return undefined;
}

/**
 * Refuses repeated attributes: a client that reads another one could attribute the response to another user (RFC 2865
 * §5.44).
 * @throws Refusal
 */
function requireOnce(packet: RadiusPacket): void {
  for (const [name, type] of ONCE) {
    if (valuesOf(packet, type).length > 1) throw refused(`The request has several ${name}.`);
  }
}

const ONCE = [
  ['names', ATTRIBUTE.userName],
  ['states', ATTRIBUTE.state],
] as const;

/**
 * Requires PAP and nothing else (RFC 2865 §5.2, RFC 3579 §3.3). The password only marks the request as a sign-in and is
 * never read.
 * @throws Refusal
 */
function requirePap(packet: RadiusPacket): void {
  const [password, ...others] = valuesOf(packet, ATTRIBUTE.userPassword);
  const isOnly = others.length === 0 && OTHER_WAYS.every((type) => valuesOf(packet, type).length === 0);
  if (password === undefined || !isOnly) throw refused('Only PAP is supported.');
  const isWhole = password.length >= 16 && password.length <= 128 && password.length % 16 === 0;
  if (!isWhole) throw refused('The User-Password must have 16 to 128 octets, in blocks of 16.');
}

const OTHER_WAYS = [ATTRIBUTE.chapPassword, ATTRIBUTE.arapPassword, ATTRIBUTE.eapMessage];

function wait(
  deps: Deps,
  { application }: RadiusApplication,
  received: Received,
  { loginId, send }: { loginId: string; send: Send },
): () => void {
  return whenAnswered(deps, loginId, () => {
    try {
      const { primaryEmail, roleCode } = claimAnswered(deps, { application, loginId, ip: requesterOf(received).ip });
      const attributes = [textAttribute(ATTRIBUTE.userName, primaryEmail), textAttribute(ATTRIBUTE.filterId, roleCode)];
      send({ code: CODE.accessAccept, attributes });
    } catch (reason) {
      send(rejectionOf(reason));
    }
  });
}

/** @throws `reason` if it is an unexpected error */
function rejectionOf(reason: unknown): RadiusReply {
  if (!(reason instanceof Refusal)) throw reason;
  return { code: CODE.accessReject, attributes: [textAttribute(ATTRIBUTE.replyMessage, sentenceOf(reason))] };
}

const sentenceOf = ({ result, message }: Refusal): string => SENTENCES[result] ?? message;

const SENTENCES: Readonly<Record<string, string>> = {
  EXPIRED: "You didn't answer in time. Start again.",
  LOGIN_NO_CONSENT: 'The request was denied on the device.',
};

/** Returns what the user needs to see before they can answer; undefined for a plain push. */
function instructionOf({ matchNumber, typedCode }: BrowserlessSignIn): string | undefined {
  const number = matchNumber === undefined ? '' : `choose ${matchNumber} on your device`;
  if (typedCode !== undefined) {
    const code = `${typedCode.slice(0, 4)}-${typedCode.slice(4)}`;
    return `Type ${code} in your authenticator, ${number && `${number}, `}then press Enter here.`;
  }
  return number === '' ? undefined : `C${number.slice(1)}, then press Enter here.`;
}

/** Returns the origin shown on the device: the user's own address, if the client reports it. */
function requesterOf({ packet, address }: Received): { ip: string; userAgent: string } {
  const calling = textOf(packet, ATTRIBUTE.callingStationId);
  const client = textOf(packet, ATTRIBUTE.nasIdentifier) || address;
  return { ip: isIP(calling) === 0 ? address : calling, userAgent: `RADIUS client ${client}` };
}

const refused = (message: string): Refusal => new Refusal('INVALID_REQUEST', { message });

/** Time during which a client can repeat a request and get the same reply (RFC 5080 §2.2.2). */
const KEPT_FOR = 30 * SECOND;
const KEPT_MAX = 20_000;

interface Entry {
  /** Undefined while the sign-in is pending. */
  reply: Buffer | undefined;
  at: number;
}

/** Recent requests: a retransmission gets the first one's reply, or none while that one is pending. */
interface Answered {
  /** Returns 'new' the first time; afterwards its reply, or undefined while it is pending. */
  find(key: string): Buffer | undefined | 'new';
  begin(key: string): void;
  end(key: string, reply: Buffer): void;
}

/** @param now milliseconds */
function createAnswered(now: () => number): Answered {
  const entries = new Map<string, Entry>();

  /** Removes the oldest first: clients have long given up on those still pending. */
  function prune(): void {
    const oldest = now() - KEPT_FOR;
    for (const [key, { at, reply }] of entries) {
      if (entries.size <= KEPT_MAX && (at > oldest || reply === undefined)) return;
      entries.delete(key);
    }
  }

  return {
    find(key) {
      const entry = entries.get(key);
      return entry ? entry.reply : 'new';
    },
    begin(key) {
      prune();
      entries.set(key, { reply: undefined, at: now() });
    },
    end(key, reply) {
      entries.delete(key);
      entries.set(key, { reply, at: now() });
    },
  };
}

/** Receive buffer for bursts of 1,000 requests, if the system allows it. */
const RECEIVE_BUFFER_BYTES = 1_048_576;

const OUTCOMES: Readonly<Record<number, ExchangeOutcome>> = {
  [CODE.accessAccept]: 'Access-Accept',
  [CODE.accessReject]: 'Access-Reject',
  [CODE.accessChallenge]: 'Access-Challenge',
};

/** The UDP socket of one organisation, isolated from the others. */
export interface OrganisationSocket {
  port: number;
  /** Also cancels pending sign-ins. */
  close(): Promise<void>;
}

/** Listens for an organisation. @param wanted its port, or 0 for any free one @throws PortUnusable */
export async function openOrganisationSocket(deps: Deps, orgCode: string, wanted: number): Promise<OrganisationSocket> {
  const { config, clock, log, journal } = deps;
  const { host } = config;
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: RECEIVE_BUFFER_BYTES });
  const answered = createAnswered(clock.now);
  const quietLog = createQuietLog(deps, orgCode);
  const waiting = new Set<() => void>();
  let isClosed = false;

  socket.on('message', (datagram, from) => {
    try {
      receive(datagram, from);
    } catch (reason) {
      log.error(reason, "couldn't answer a RADIUS request");
    }
  });

  async function close(): Promise<void> {
    isClosed = true;
    for (const stop of waiting) stop();
    quietLog.close();
    await new Promise<void>((resolve) => {
      socket.close(() => resolve());
    });
  }

  function receive(datagram: Buffer, from: RemoteInfo): void {
    const packet = readPacket(datagram);
    // RFC 2865 §3: silently discarded.
    if (packet?.code !== CODE.accessRequest && packet?.code !== CODE.statusServer) return;
    const { address, port } = from;
    const key = `${address} ${port} ${createHash('sha256').update(packet.bytes).digest('base64')}`;
    const known = answered.find(key);
    if (known !== 'new') {
      if (known) socket.send(known, port, address);
      return;
    }
    const found = findRadiusApplication(deps, orgCode, packet);
    const record = (outcome: ExchangeOutcome, appId?: string) =>
      journal.record({
        kind: 'exchange',
        protocol: 'radius',
        operation: operationOf(packet),
        outcome,
        orgCode,
        appId,
        name: textOf(packet, ATTRIBUTE.userName).trim() || undefined,
        ip: address,
      });
    if (typeof found === 'string') {
      record('no answer');
      quietLog.add(found, address);
      return;
    }
    answered.begin(key);
    // The reply may be sent within the call.
    let stop: (() => void) | undefined;
    stop = answerRequest(deps, found, { packet, address }, (reply) => {
      if (stop) waiting.delete(stop);
      if (isClosed) return;
      record(OUTCOMES[reply.code] ?? 'no answer', found.application.appId);
      const bytes = writeReply(packet, found.client.secret, reply);
      answered.end(key, bytes);
      socket.send(bytes, port, address);
    });
    if (stop) waiting.add(stop);
  }

  try {
    socket.bind(wanted, host);
    await once(socket, 'listening');
  } catch (reason) {
    socket.close();
    throw portProblem(reason, { host, port: wanted, setting: 'RADIUS_PORT' });
  }
  socket.on('error', (reason) => log.error(reason, 'a RADIUS socket failed'));
  return { port: socket.address().port, close };
}

/** Returns the operation for the journal. A request without a Message-Authenticator never gets a response. */
function operationOf(packet: RadiusPacket): string {
  const name = packet.code === CODE.statusServer ? 'Status-Server' : 'Access-Request';
  return isProtected(packet) ? name : `${name} without Message-Authenticator`;
}
