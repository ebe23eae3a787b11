import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { makeTls } from '#platform/adapters/local-authority.ts';
import { portProblem } from '#platform/port-unusable.ts';
import { serveConnection } from './connection.ts';

/** Serves LDAP (decision 173) on `LDAP_PORT` and `LDAPS_PORT`. @throws PortUnusable when the portal starts */
export function ldap(app: FastifyInstance, deps: Deps): void {
  const { config, log, ports } = deps;
  const { host, ldapPort, ldapsPort } = config;
  const servers: Server[] = [];
  const sockets = new Set<Socket>();

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  }

  async function listen(server: Server, port: number, setting: string): Promise<number> {
    servers.push(server);
    try {
      server.listen(port, host);
      await once(server, 'listening');
    } catch (reason) {
      throw portProblem(reason, { host, port, setting });
    }
    server.on('error', (reason) => log.error(reason, 'an LDAP server failed'));
    const address = server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  app.addHook('onReady', async () => {
    const tls = deps.tls ?? (ldapsPort === null ? null : await makeTls({ ...config, tls: true }));
    deps.authorityFile = tls?.caFile ?? null;
    if (ldapPort !== null) {
      const server = createServer((socket) => {
        keep(socket);
        serveConnection(deps, socket, tls);
      });
      ports.ldap = await listen(server, ldapPort, 'LDAP_PORT');
    }
    if (ldapsPort !== null && tls) {
      const server = createTlsServer({ key: tls.key, cert: tls.cert }, (socket) => {
        keep(socket);
        serveConnection(deps, socket, null);
      });
      // The client doesn't support TLS or doesn't trust the certificate, so just close the connection.
      server.on('tlsClientError', (_reason, socket) => socket.destroy());
      ports.ldaps = await listen(server, ldapsPort, 'LDAPS_PORT');
    }
  });

  app.addHook('preClose', async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });
}
