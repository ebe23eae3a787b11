import websocket from '@fastify/websocket';
import { LIVE_PROTOCOL } from '@orchestrate/shared';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { notFound } from '../http/answers/not-found.ts';
import { type Connections, createConnections } from './connections.ts';

/**
 * Larger frames are closed with code 1009 (RFC 6455 §7.4.1); the channel's own, far lower limit is checked separately
 * and answered with a reason.
 */
const FRAME_MAX_BYTES = 65_536;

declare module 'fastify' {
  interface FastifyInstance {
    /** Every open connection of this server. */
    connections: Connections;
  }
}

/** Lets the server's routes be sockets: see `serveChannel`. Call it before routes are added. */
export async function acceptSockets(app: FastifyInstance, { log, registered }: Deps): Promise<void> {
  const connections = createConnections();
  app.decorate('connections', connections);
  app.decorateRequest('opened', null);
  await app.register(websocket, {
    options: {
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: FRAME_MAX_BYTES,
      handleProtocols: (offered) => (offered.has(LIVE_PROTOCOL) ? LIVE_PROTOCOL : false),
    },
    errorHandler(reason, socket, request) {
      // The peer broke the protocol or the connection; ws has already sent a close frame.
      if ('code' in reason) return;
      log.error({ err: reason, reqId: request.id }, 'defect in a socket');
      socket.terminate();
    },
    preClose: async () => {
      // Without a listener an upgrade is an ordinary request: refused with 503 like any other from here on, and hung up
      // on.
      app.server.removeAllListeners('upgrade');
      connections.closeAll();
    },
  });
  const isChannel = ({ routeOptions }: FastifyRequest) =>
    registered.channels.some(({ path }) => path === routeOptions.url);
  app.addHook('onRequest', (request, _reply, done) => {
    // The plugin would accept an upgrade of any route, and close the socket again.
    done(request.ws === isChannel(request) ? undefined : notFound());
  });
}
