import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { radiusClient } from '@orchestrate/server/testing/radius-client';
import type { Attempt } from './attempt.ts';

const HOST = '127.0.0.1';

/** The RADIUS and LDAP ports, and the secret of the RADIUS application. */
export interface NetworkFixtures {
  radius: number;
  ldap: number;
  secret: string;
}

/** Sends a datagram, then a request that always gets a response. Resolves with 0 when it arrives. */
export async function sendDatagram(
  { radius, secret }: NetworkFixtures,
  { bytes, isProven }: Extract<Attempt, { kind: 'radius' }>,
): Promise<number> {
  await using client = await radiusClient(radius);
  const datagram = Buffer.from(bytes, 'latin1');
  client.send(isProven ? authenticated(datagram, secret) : datagram);
  await client.ask({ secret, code: 12 });
  return 0;
}

/** Appends a valid Message-Authenticator and corrects the length. */
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

/** Sends bytes on a new connection and ends it. Resolves with 0 when the portal has closed it too. */
export function sendLdap({ ldap }: NetworkFixtures, bytes: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect({ host: HOST, port: ldap });
    socket.on('error', () => {});
    socket.once('close', () => resolve(0));
    socket.resume();
    socket.end(Buffer.from(bytes, 'latin1'));
  });
}
