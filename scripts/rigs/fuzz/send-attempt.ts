import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { asSubprotocol, LIVE_PROTOCOL } from '@orchestrate/shared';
import { WebSocket } from 'ws';
import type { Attempt, Outcome, Sender } from './attempt.ts';
import { type NetworkGround, throwDatagram, throwLdap } from './throw-network.ts';

/** What attempts need to know about the portal under test. */
export interface Ground {
  /** Origin. */
  url: string;
  /** Access tokens of signed-in people. */
  tokens: string[];
  /** `Authorization` header of the organisation's directory, and of one of its applications. */
  directory: string;
  application: string;
  /** The person whom attempts name as `@suid` and `@zid`. */
  victim: { suid: string; zid: string };
  network: NetworkGround;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/**
 * Sends one attempt and waits for the portal's reaction.
 * @param patienceMs after which it counts as a hang
 * @throws Error where nothing came back in that time
 */
export async function sendAttempt(ground: Ground, attempt: Attempt, patienceMs: number): Promise<Outcome> {
  const began = performance.now();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No answer within ${patienceMs} ms.`)), patienceMs);
  try {
    const status = await Promise.race([statusOf(ground, attempt), late]);
    return { status, took: performance.now() - began };
  } finally {
    clearTimeout(timer);
  }
}

function statusOf(ground: Ground, attempt: Attempt): Promise<number> {
  if (attempt.kind === 'http') return call(ground, attempt);
  if (attempt.kind === 'socket') return talk(ground, attempt);
  if (attempt.kind === 'radius') return throwDatagram(ground.network, attempt);
  if (attempt.kind === 'ldap') return throwLdap(ground.network, attempt.bytes);
  return throwBytes(ground, attempt.bytes);
}

function tokenOf({ tokens }: Ground, sender: Sender): string | undefined {
  return typeof sender === 'object' ? tokens[sender.person % tokens.length] : undefined;
}

function authorisationOf(ground: Ground, sender: Sender): string | undefined {
  if (sender === 'directory') return ground.directory;
  if (sender === 'application') return ground.application;
  const token = tokenOf(ground, sender);
  return token && `Bearer ${token}`;
}

const aboutVictim = ({ victim }: Ground, text: string): string =>
  text.replaceAll(/(?:@|%40)(suid|zid)\b/g, (_, name: 'suid' | 'zid') => victim[name]);

function call(ground: Ground, attempt: Attempt & { kind: 'http' }): Promise<number> {
  const { method, type, sender } = attempt;
  const path = aboutVictim(ground, attempt.path);
  const body = attempt.body && aboutVictim(ground, attempt.body);
  const authorization = authorisationOf(ground, sender);
  return new Promise((resolve) => {
    const sent = request(`${ground.url}${path}`, {
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
    // The portal may hang up on a request that it refuses to read.
    sent.once('error', () => resolve(0));
    sent.end(body ?? undefined);
  });
}

/** Opens a channel, sends all messages at once, and waits for the answer to a ping, or the close. */
function talk(ground: Ground, { path, messages, sender }: Attempt & { kind: 'socket' }): Promise<number> {
  const token = tokenOf(ground, sender);
  const protocols = [LIVE_PROTOCOL, ...(token ? [asSubprotocol(token)] : [])];
  return new Promise((resolve) => {
    const socket = new WebSocket(`${ground.url.replace('http', 'ws')}${path}`, protocols);
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

/** Sends bytes on a new connection, and resolves with the status of the portal's answer. */
function throwBytes({ url }: Ground, bytes: string): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('data', (part) => {
      parts.push(part);
      // An answer counts even if the connection still waits for the rest of the announced body.
      socket.end();
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(Buffer.concat(parts).toString('latin1')) ?? [];
      resolve(Number(status ?? 0));
    });
    // Half-closes the connection, so that the portal does not wait for a body that was only announced.
    socket.end(Buffer.from(bytes, 'latin1'));
  });
}
