import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { radiusClient } from '@orchestrate/server/testing/radius-client';
import { asSubprotocol, LIVE_PROTOCOL } from '@orchestrate/shared';
import { WebSocket } from 'ws';
import type { Attempt, Outcome, Sender } from './attempt.ts';

const HOST = '127.0.0.1';

/** The RADIUS and LDAP ports, and the RADIUS application's secret. */
interface NetworkFixtures {
  radius: number;
  ldap: number;
  secret: string;
}

/** Sends a datagram, followed by a request that always gets a response. Resolves to 0 when that response arrives. */
async function sendDatagram(
  { radius, secret }: NetworkFixtures,
  { bytes, isProven }: Extract<Attempt, { kind: 'radius' }>,
): Promise<number> {
  await using client = await radiusClient(radius);
  const datagram = Buffer.from(bytes, 'latin1');
  client.send(isProven ? authenticated(datagram, secret) : datagram);
  await client.ask({ secret, code: 12 });
  return 0;
}

/** Appends a valid Message-Authenticator and corrects the packet length. */
function authenticated(datagram: Buffer, secret: string): Buffer {
  const packet = Buffer.concat([datagram.subarray(0, 4_000), Buffer.alloc(Math.max(0, 20 - datagram.length))]);
  const whole = Buffer.concat([packet, Buffer.of(80, 18), Buffer.alloc(16)]);
  whole.writeUInt16BE(whole.length, 2);
  createHmac('md5', secret)
    .update(whole)
    .digest()
    .copy(whole, whole.length - 16);
  return whole;
}

/** Sends bytes on a new connection and ends it. Resolves to 0 when the portal has closed the connection too. */
function sendLdap({ ldap }: NetworkFixtures, bytes: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect({ host: HOST, port: ldap });
    socket.on('error', () => {});
    socket.once('close', () => resolve(0));
    socket.resume();
    socket.end(Buffer.from(bytes, 'latin1'));
  });
}

/** Values from the portal under test that attempts refer to. */
export interface Fixtures {
  url: string;
  /** Access tokens of signed-in users. */
  tokens: string[];
  /** `Authorization` header of the organisation's directory. */
  directory: string;
  application: string;
  /** The user that `@suid` and `@zid` refer to. */
  victim: { suid: string; zid: string };
  network: NetworkFixtures;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/**
 * Sends an attempt and waits for the portal's reaction.
 * @param patienceMs time limit for the response, in milliseconds
 * @throws Error if the portal doesn't respond within the limit
 */
export async function sendAttempt(fixtures: Fixtures, attempt: Attempt, patienceMs: number): Promise<Outcome> {
  const began = performance.now();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No response within ${patienceMs} ms.`)), patienceMs);
  try {
    const status = await Promise.race([statusOf(fixtures, attempt), late]);
    return { status, took: performance.now() - began };
  } finally {
    clearTimeout(timer);
  }
}

function statusOf(fixtures: Fixtures, attempt: Attempt): Promise<number> {
  if (attempt.kind === 'http') return call(fixtures, attempt);
  if (attempt.kind === 'socket') return talk(fixtures, attempt);
  if (attempt.kind === 'radius') return sendDatagram(fixtures.network, attempt);
  if (attempt.kind === 'ldap') return sendLdap(fixtures.network, attempt.bytes);
  return sendBytes(fixtures, attempt.bytes);
}

function tokenOf({ tokens }: Fixtures, sender: Sender): string | undefined {
  return typeof sender === 'object' ? tokens[sender.person % tokens.length] : undefined;
}

function authorisationOf(fixtures: Fixtures, sender: Sender): string | undefined {
  if (sender === 'directory') return fixtures.directory;
  if (sender === 'application') return fixtures.application;
  const token = tokenOf(fixtures, sender);
  return token && `Bearer ${token}`;
}

const aboutVictim = ({ victim }: Fixtures, text: string): string =>
  text.replaceAll(/(?:@|%40)(suid|zid)\b/g, (_, name: 'suid' | 'zid') => victim[name]);

function call(fixtures: Fixtures, attempt: Attempt & { kind: 'http' }): Promise<number> {
  const { method, type, sender } = attempt;
  const path = aboutVictim(fixtures, attempt.path);
  const body = attempt.body && aboutVictim(fixtures, attempt.body);
  const authorization = authorisationOf(fixtures, sender);
  return new Promise((resolve) => {
    const sent = request(`${fixtures.url}${path}`, {
      agent,
      method,
      headers: {
        ...(authorization && { authorization }),
        ...(type && { 'content-type': type }),
        ...(body !== null && { 'content-length': Buffer.byteLength(body) }),
      },
    });
    sent.once('response', (response) => {
      response.resume().once('close', () => resolve(response.statusCode ?? 0));
    });
    // The portal is allowed to close the connection if it refuses to read the request.
    sent.once('error', () => resolve(0));
    sent.end(body ?? undefined);
  });
}

/** Opens a channel, sends all messages, and waits until the channel answers a ping or closes. */
function talk(fixtures: Fixtures, { path, messages, sender }: Attempt & { kind: 'socket' }): Promise<number> {
  const token = tokenOf(fixtures, sender);
  const protocols = [LIVE_PROTOCOL, ...(token ? [asSubprotocol(token)] : [])];
  return new Promise((resolve) => {
    const socket = new WebSocket(`${fixtures.url.replace('http', 'ws')}${path}`, protocols);
    socket.once('unexpected-response', (_request, response) => {
      response.resume();
      socket.terminate();
      resolve(response.statusCode ?? 0);
    });
    socket.once('open', () => {
      for (const message of messages) socket.send(message);
      socket.ping();
    });
    socket.once('pong', () => {
      resolve(101);
      socket.close();
    });
    socket.once('close', () => resolve(101));
    socket.on('error', () => {});
  });
}

/** Sends bytes on a new connection. Resolves to the response status. */
function sendBytes({ url }: Fixtures, bytes: string): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('data', (part) => {
      parts.push(part);
      // The response is complete, even if the portal is still waiting for the rest of the announced body.
      socket.end();
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(Buffer.concat(parts).toString('latin1')) ?? [];
      resolve(Number(status ?? 0));
    });
    // Half-closes the connection. Otherwise the portal would wait for a body that was announced but never sent.
    socket.end(Buffer.from(bytes, 'latin1'));
  });
}
