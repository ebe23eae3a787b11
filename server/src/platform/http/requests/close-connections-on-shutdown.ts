import type { FastifyInstance } from 'fastify';

/** Time that a request under way has to finish, once the server closes. */
const FAREWELL_MS = 2_000;

/**
 * A closing server answers the requests it has received, and then hangs up on callers that have not finished sending or
 * reading.
 */
export function closeConnectionsOnShutdown(app: FastifyInstance): void {
  let isClosing = false;
  // Node hangs up on the connections that wait for a request when the server closes, not on those that do later.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (isClosing) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    setTimeout(() => app.server.closeAllConnections(), FAREWELL_MS).unref();
  });
}
