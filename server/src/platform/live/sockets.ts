import { clearInterval, setInterval, setTimeout } from 'node:timers';
import websocket from '@fastify/websocket';
import { LIMITS, LIVE_PROTOCOL, SECOND } from '@orchestrate/shared';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '#deps.ts';
import { notFoundRefusal } from '../http/answers/answer.ts';
import { CLOSE, type Connection } from './connection.ts';

/** The server's open connections. */
interface Connections {
  /** Adds a connection and returns a function that removes it. */
  add(connection: Connection): () => void;
  /** Sends a close frame to every connection, and terminates the connections that don't respond. */
  closeAll(): void;
}

/** How long a peer has to respond to a close frame, in milliseconds. */
const GOODBYE_MS = 1_000;

/**
 * Creates the connection registry. Connections are split into one group per second of the ping interval, and one
 * group is pinged every second.
 */
function createConnections(): Connections {
  const groups = Array.from({ length: LIMITS.pingSeconds }, () => new Set<Connection>());
  let timer: NodeJS.Timeout | undefined;
  let added = 0;
  let turn = 0;
  let isClosing = false;

  const group = (index: number) => groups[index % groups.length] ?? new Set();

  /** Pings the next group, and terminates connections that didn't answer the last ping. */
  function pingNext(): void {
    for (const connection of group(turn++)) {
      if (connection.isAlive) connection.ping();
      else connection.terminate();
    }
  }

  /** Closes the given connections, and terminates the ones that don't respond. */
  function dismiss(leaving: readonly Connection[]): void {
    for (const connection of leaving) connection.close(CLOSE.goingAway, 'The server is closing.');
    setTimeout(() => {
      for (const connection of leaving) connection.terminate();
    }, GOODBYE_MS).unref();
  }

  return {
    add(connection) {
      // This connection's upgrade was still pending when `closeAll` ran, so close it now.
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
 * Maximum frame size, above which the socket closes with 1009 (RFC 6455 §7.4.1). Channels check their own, much lower
 * limit separately and close with a reason.
 */
const FRAME_MAX_BYTES = 65_536;

declare module 'fastify' {
  interface FastifyInstance {
    /** All open connections of this server. */
    connections: Connections;
  }
}

/** Enables WebSockets for `serveChannel`. Must be called before routes are added. */
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
      // An error with a code means that the peer broke the protocol or the connection. Nothing is left to do, because
      // ws has already sent a close frame.
      if ('code' in reason) return;
      log.error({ err: reason, reqId: request.id }, 'defect in a socket');
      socket.terminate();
    },
    preClose: async () => {
      // Without an upgrade listener, upgrades are handled as ordinary requests, which a closing server refuses with
      // 503.
      app.server.removeAllListeners('upgrade');
      connections.closeAll();
    },
  });
  const isChannel = ({ routeOptions }: FastifyRequest) =>
    registered.channels.some(({ path }) => path === routeOptions.url);
  app.addHook('onRequest', (request, _reply, done) => {
    // Return 404 here, or the plugin would accept upgrades on any route and then close the socket.
    done(request.ws === isChannel(request) ? undefined : notFoundRefusal());
  });
}
