import type { FastifyInstance } from 'fastify';

/** Time for pending requests to finish after the server starts to close, in milliseconds. */
const FAREWELL_MS = 2_000;

/**
 * Makes a closing server answer the requests it has received, and then close the connections of callers that are still
 * sending or reading.
 */
export function closeConnectionsOnShutdown(app: FastifyInstance): void {
  let isClosing = false;
  // Node closes only the connections that are idle when the server closes, not those that become idle later.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (isClosing) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    setTimeout(() => app.server.closeAllConnections(), FAREWELL_MS).unref();
  });
}
