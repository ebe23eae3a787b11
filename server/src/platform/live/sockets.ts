import websocket from '@fastify/websocket';
import { LIMITS, LIVE_PROTOCOL, SECOND } from '@orchestrate/shared';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '#deps.ts';
import { notFound } from '../http/answers/answer.ts';
import { CLOSE, type Connection } from './connection.ts';

/** All open connections of a server. */
interface Connections {
  /** Returns a function that removes it. */
  add(connection: Connection): () => void;
  /** Sends all of them a close frame, and terminates those that don't respond. */
  closeAll(): void;
}

/** Time for a peer to respond to a close frame, in milliseconds. */
const GOODBYE_MS = 1_000;

/** Creates the registry. It has a group of connections per second of the ping interval, and pings one every second. */
function createConnections(): Connections {
  const groups = Array.from({ length: LIMITS.pingSeconds }, () => new Set<Connection>());
  let timer: NodeJS.Timeout | undefined;
  let added = 0;
  let turn = 0;
  let isClosing = false;

  const group = (index: number) => groups[index % groups.length] ?? new Set();

  /** Pings the next group, and terminates its connections that haven't answered the last ping. */
  function pingNext(): void {
    for (const connection of group(turn++)) {
      if (connection.isAlive) connection.ping();
      else connection.terminate();
    }
  }

  /** Closes some of them. */
  function dismiss(leaving: readonly Connection[]): void {
    for (const connection of leaving) connection.close(CLOSE.goingAway, 'The server is closing.');
    setTimeout(() => {
      for (const connection of leaving) connection.terminate();
    }, GOODBYE_MS).unref();
  }

  return {
    add(connection) {
      // Its upgrade was pending when the others were closed.
      if (isClosing) dismiss([connection]);
      const mine = group(added++);
      mine.add(connection);
      timer ??= setInterval(pingNext, SECOND).unref();
      return () => mine.delete(connection);
    },
    closeAll() {
      isClosing = true;
      clearInterval(timer);
      dismiss(groups.flatMap((present) => [...present]));
    },
  };
}

/**
 * Maximum frame size, beyond which the socket closes with 1009 (RFC 6455 §7.4.1). The much lower limit of channels is
 * checked separately and has a reason.
 */
const FRAME_MAX_BYTES = 65_536;

declare module 'fastify' {
  interface FastifyInstance {
    /** All open connections of this server. */
    connections: Connections;
  }
}

/** Enables sockets for `serveChannel`. Call it before routes are added. */
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
      // Without a listener, an upgrade is an ordinary request, which is refused with 503 from here on.
      app.server.removeAllListeners('upgrade');
      connections.closeAll();
    },
  });
  const isChannel = ({ routeOptions }: FastifyRequest) =>
    registered.channels.some(({ path }) => path === routeOptions.url);
  app.addHook('onRequest', (request, _reply, done) => {
    // The plugin would accept upgrades of any route and then close the socket.
    done(request.ws === isChannel(request) ? undefined : notFound());
  });
}
