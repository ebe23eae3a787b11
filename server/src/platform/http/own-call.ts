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
    // Not `app.inject`, which requires it: in the package it is bundled (scripts/pack/bundle.ts). It takes long to load.
    const { inject } = await import('light-my-request');
    return await inject((request, response) => app.routing(request, response), options);
  } catch (reason) {
    if (reason instanceof Error && 'code' in reason && reason.code === ENDED) return undefined;
    throw reason;
  }
}
