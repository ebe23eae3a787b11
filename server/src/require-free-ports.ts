import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import type { Config } from './config.ts';
import { type Place, portProblem } from './platform/port-unusable.ts';

type Release = () => Promise<unknown>;

/**
 * Takes every port for a moment. A start that found out later would leave a database behind, and the next start would
 * go on with it, whatever its `SEED`.
 * @throws PortUnusable
 */
export async function requireFreePorts({ host, port, ldapPort, ldapsPort, radiusPorts }: Config): Promise<void> {
  const wanted = { LDAP_PORT: ldapPort, LDAPS_PORT: ldapsPort, PORT: port };
  // All at once, so that two of them are not the same one.
  const releases: Release[] = [];
  try {
    for (const [setting, number] of Object.entries(wanted)) {
      if (number) releases.push(await take(holdTcp, { host, port: number, setting }));
    }
    // One after the other: together they could be more sockets than a process may open.
    const [first, last] = radiusPorts ?? [0, 0];
    for (let number = first; number !== 0 && number <= last; number += 1) {
      await (await take(holdUdp, { host, port: number, setting: 'RADIUS_PORT' }))();
    }
  } finally {
    await Promise.all(releases.map((release) => release()));
  }
}

async function take(hold: (place: Place) => Promise<Release>, place: Place): Promise<Release> {
  try {
    return await hold(place);
  } catch (reason) {
    throw portProblem(reason, place);
  }
}

async function holdTcp({ host, port }: Place): Promise<Release> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  return () => once(server.close(), 'close');
}

async function holdUdp({ host, port }: Place): Promise<Release> {
  const { createSocket } = await import('node:dgram');
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4').bind(port, host);
  await once(socket, 'listening');
  return () => once(socket.close(), 'close');
}
