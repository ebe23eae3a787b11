import type { FastifyInstance } from 'fastify';

/** What a request under way has to end in, once the server closes. */
const FAREWELL_MS = 2_000;

/** A server that closes answers what it was asked, and hangs up on who has not finished asking or reading by then. */
export function hangUpInTheEnd(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    setTimeout(() => app.server.closeAllConnections(), FAREWELL_MS).unref();
  });
}
