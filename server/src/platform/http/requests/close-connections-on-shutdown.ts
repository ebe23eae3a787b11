import { setTimeout } from 'node:timers';
import type { FastifyInstance } from 'fastify';

/** Time for pending requests to finish after the server starts to close, in milliseconds. */
const FAREWELL_MS = 2_000;

/**
 * Makes a closing server respond to the requests it has received, then close the connections of clients that are
 * still sending or reading.
 */
export function closeConnectionsOnShutdown(app: FastifyInstance): void {
  let isClosing = false;
  // When the server closes, Node closes only connections that are idle at that moment, so close connections that
  // become idle later.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (isClosing) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    setTimeout(() => app.server.closeAllConnections(), FAREWELL_MS).unref();
  });
}
