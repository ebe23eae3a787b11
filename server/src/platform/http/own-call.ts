import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';

/** What light-my-request rejects with where the connection ended before the answer was complete. */
const ENDED = 'LIGHT_ECONNRESET';

/**
 * Calls the portal's own HTTP interface, without the network.
 * @returns undefined where no complete answer came: faults of the lab meet these calls too
 */
export async function callItself(
  app: FastifyInstance,
  options: InjectOptions,
): Promise<LightMyRequestResponse | undefined> {
  try {
    return await app.inject(options);
  } catch (reason) {
    if (reason instanceof Error && 'code' in reason && reason.code === ENDED) return undefined;
    throw reason;
  }
}
