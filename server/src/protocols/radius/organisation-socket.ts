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
  hasMessageAuthenticator,
  type RadiusPacket,
  readPacket,
  textAttribute,
  textOf,
  valuesOf,
  writeReply,
} from './packet.ts';
import { createQuietLog } from './quiet-log.ts';

/** An unsigned RADIUS reply. */
interface RadiusReply {
  code: number;
  attributes: Attribute[];
}

/** A request that matches an application. */
interface Received {
  packet: RadiusPacket;
  /** IP address of the client. */
  address: string;
}

type Send = (reply: RadiusReply) => void;

/**
 * Answers a request, either immediately or after the user has answered.
 * @returns a function that cancels the wait, or undefined if the request was answered immediately
 */
function answerRequest(deps: Deps, found: RadiusApplication, received: Received, send: Send): (() => void) | undefined {
  try {
    return answer(deps, found, received, send);
  } catch (reason) {
    send(rejectionOf(reason));
    return undefined;
  }
}

/**
 * Answers a request like `answerRequest`, but throws refusals instead of sending them.
 * @throws Refusal
 */
function answer(deps: Deps, found: RadiusApplication, received: Received, send: Send): (() => void) | undefined {
  const { packet } = received;
  // Clients use this request to check that the server is available (RFC 5997 §4.1).
  if (packet.code === CODE.statusServer) {
    send({ code: CODE.accessAccept, attributes: [] });
    return undefined;
  }
  requireOnce(packet);
  const name = textOf(packet, ATTRIBUTE.userName).trim();
  if (name === '') throw refused('The request must have a user name.');
  const { application, client } = found;
  const loginId = textOf(packet, ATTRIBUTE.state);
  if (loginId !== '') {
    if (!isSignInFor(deps, application, { loginId: loginId, name })) throw new Refusal('EXPIRED');
    return wait(deps, found, received, { loginId: loginId, send });
  }
  requirePap(packet);
  const asking = { application, protocol: 'radius' as const, method: client.method, name };
  const started = signInWithoutBrowser(deps, { ...asking, requester: requesterOf(received) });
  const instruction = instructionOf(started);
  if (instruction === undefined) return wait(deps, found, received, { loginId: started.loginId, send });
  const state = { type: ATTRIBUTE.state, value: Buffer.from(started.loginId) };
  send({ code: CODE.accessChallenge, attributes: [textAttribute(ATTRIBUTE.replyMessage, instruction), state] });
  return undefined;
}

/**
 * Rejects repeated attributes. A client that reads a different copy could attribute the response to another user (RFC
 * 2865 §5.44).
 * @throws Refusal
 */
function requireOnce(packet: RadiusPacket): void {
  for (const [name, type] of ONCE) {
    if (valuesOf(packet, type).length > 1) throw refused(`The request contains several ${name}.`);
  }
}

const ONCE = [
  ['names', ATTRIBUTE.userName],
  ['states', ATTRIBUTE.state],
] as const;

/**
 * Requires PAP without any other method (RFC 2865 §5.2, RFC 3579 §3.3). The password only marks the request as a
 * sign-in; its value is ignored.
 * @throws Refusal
 */
function requirePap(packet: RadiusPacket): void {
  const [password, ...others] = valuesOf(packet, ATTRIBUTE.userPassword);
  const isOnly = others.length === 0 && OTHER_WAYS.every((type) => valuesOf(packet, type).length === 0);
  if (password === undefined || !isOnly) throw refused('Only PAP is supported.');
  const isWhole = password.length >= 16 && password.length <= 128 && password.length % 16 === 0;
  if (!isWhole) throw refused('User-Password must be 16 to 128 octets long, in blocks of 16.');
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

/**
 * Converts a refusal to a rejection.
 * @throws `reason` if it is an unexpected error
 */
function rejectionOf(reason: unknown): RadiusReply {
  if (!(reason instanceof Refusal)) throw reason;
  return { code: CODE.accessReject, attributes: [textAttribute(ATTRIBUTE.replyMessage, sentenceOf(reason))] };
}

const sentenceOf = ({ result, message }: Refusal): string => SENTENCES[result] ?? message;

const SENTENCES: Readonly<Record<string, string>> = {
  EXPIRED: "You didn't answer in time. Start again.",
  LOGIN_NO_CONSENT: 'The request was denied on the device.',
};

/** Returns the instructions that the user needs before answering, or undefined for a plain push. */
function instructionOf({ matchNumber, typedCode }: BrowserlessSignIn): string | undefined {
  const number = matchNumber === undefined ? '' : `choose ${matchNumber} on your device`;
  if (typedCode !== undefined) {
    const code = `${typedCode.slice(0, 4)}-${typedCode.slice(4)}`;
    return `Type ${code} in your authenticator, ${number && `${number}, `}then press Enter here.`;
  }
  return number === '' ? undefined : `C${number.slice(1)}, then press Enter here.`;
}

/** Returns the request origin to show on the device: the user's own IP address if the client reports it. */
function requesterOf({ packet, address }: Received): { ip: string; userAgent: string } {
  const calling = textOf(packet, ATTRIBUTE.callingStationId);
  const client = textOf(packet, ATTRIBUTE.nasIdentifier) || address;
  return { ip: isIP(calling) === 0 ? address : calling, userAgent: `RADIUS client ${client}` };
}

const refused = (message: string): Refusal => new Refusal('INVALID_REQUEST', { message });

/** How long a repeated request gets the same reply (RFC 5080 §2.2.2), in milliseconds. */
const REPLY_LIFETIME_MS = 30 * SECOND;
const REPLIES_MAX = 20_000;

interface Entry {
  /** The reply, or undefined while the sign-in is pending. */
  reply: Buffer | undefined;
  at: number;
}

/** Recent requests. A retransmission gets the reply to the original request, or none while that request is pending. */
interface Answered {
  /** Returns 'new' for an unknown request, its reply if it has been answered, or undefined while it is pending. */
  find(key: string): Buffer | undefined | 'new';
  begin(key: string): void;
  end(key: string, reply: Buffer): void;
}

/**
 * Creates an empty store of recent requests.
 * @param now returns the current time in milliseconds
 */
function createAnswered(now: () => number): Answered {
  const entries = new Map<string, Entry>();

  /** Removes the oldest requests first. Clients have long given up on any that are still pending. */
  function prune(): void {
    const oldest = now() - REPLY_LIFETIME_MS;
    for (const [key, { at, reply }] of entries) {
      if (entries.size <= REPLIES_MAX && (at > oldest || reply === undefined)) return;
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

/** Size of a receive buffer for bursts of 1,000 requests, if the system allows it. */
const RECEIVE_BUFFER_BYTES = 1_048_576;

const OUTCOMES: Readonly<Record<number, ExchangeOutcome>> = {
  [CODE.accessAccept]: 'Access-Accept',
  [CODE.accessReject]: 'Access-Reject',
  [CODE.accessChallenge]: 'Access-Challenge',
};

/** One organisation's UDP socket, isolated from other organisations. */
export interface OrganisationSocket {
  port: number;
  /** Closes the socket and cancels pending sign-ins. */
  close(): Promise<void>;
}

/**
 * Opens an organisation's socket.
 * @param wanted its port, or 0 for any free port
 * @throws PortUnusable
 */
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
    // RFC 2865 §3 requires other packets to be silently discarded.
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
    // The reply may be sent before `answerRequest` returns, so `stop` must be declared first.
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

/** Returns the operation name for the journal. A request without a Message-Authenticator never gets a response. */
function operationOf(packet: RadiusPacket): string {
  const name = packet.code === CODE.statusServer ? 'Status-Server' : 'Access-Request';
  return hasMessageAuthenticator(packet) ? name : `${name} without Message-Authenticator`;
}
