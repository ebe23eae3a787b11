import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';

/** Error code from light-my-request if the connection closed before the response was complete. */
const ENDED = 'LIGHT_ECONNRESET';

/**
 * Calls the portal's own HTTP API without using the network.
 * @returns undefined if the response is incomplete, which lab faults can cause here too
 */
export async function callOwnApi(
  app: FastifyInstance,
  options: InjectOptions,
): Promise<LightMyRequestResponse | undefined> {
  try {
    // `app.inject` doesn't work here, because it can't find the bundled module in the package
    // (scripts/pack/bundle.ts). The module is slow to load, so it is imported on demand.
    const { inject } = await import('light-my-request');
    return await inject((request, response) => app.routing(request, response), options);
  } catch (reason) {
    if (reason instanceof Error && 'code' in reason && reason.code === ENDED) return undefined;
    throw reason;
  }
}
