import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { radiusClient } from '@orchestrate/server/testing/radius-client';
import type { Attempt } from './attempt.ts';

const HOST = '127.0.0.1';

/** Ports beside that of HTTP, and the secret of the RADIUS application. */
export interface NetworkGround {
  radius: number;
  ldap: number;
  secret: string;
}

/** Sends a datagram and then a question that is always answered: resolves with 0 once it was. */
export async function throwDatagram(
  { radius, secret }: NetworkGround,
  { bytes, isProven }: Extract<Attempt, { kind: 'radius' }>,
): Promise<number> {
  await using client = await radiusClient(radius);
  const datagram = Buffer.from(bytes, 'latin1');
  client.send(isProven ? proven(datagram, secret) : datagram);
  await client.ask({ secret, code: 12 });
  return 0;
}

/** Ends the attributes with a Message-Authenticator, and says the length that it has then. */
function proven(datagram: Buffer, secret: string): Buffer {
  const packet = Buffer.concat([datagram.subarray(0, 4_000), Buffer.alloc(Math.max(0, 20 - datagram.length))]);
  const whole = Buffer.concat([packet, Buffer.of(80, 18), Buffer.alloc(16)]);
  whole.writeUInt16BE(whole.length, 2);
  createHmac('md5', secret)
    .update(whole)
    .digest()
    .copy(whole, whole.length - 16);
  return whole;
}

/** Sends bytes on a new connection and ends it: resolves with 0 once the portal has closed it too. */
export function throwLdap({ ldap }: NetworkGround, bytes: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect({ host: HOST, port: ldap });
    socket.on('error', () => {});
    socket.once('close', () => resolve(0));
    socket.resume();
    socket.end(Buffer.from(bytes, 'latin1'));
  });
}
