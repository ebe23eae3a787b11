import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';

/** Error code of light-my-request if the connection ended before the response was complete. */
const ENDED = 'LIGHT_ECONNRESET';

/**
 * Calls the portal's own HTTP API without the network.
 * @returns undefined without a complete response, because lab faults affect these calls too
 */
export async function callItself(
  app: FastifyInstance,
  options: InjectOptions,
): Promise<LightMyRequestResponse | undefined> {
  try {
    // Not `app.inject`, which can't find the bundled module in the package (scripts/pack/bundle.ts). It is slow to load.
    const { inject } = await import('light-my-request');
    return await inject((request, response) => app.routing(request, response), options);
  } catch (reason) {
    if (reason instanceof Error && 'code' in reason && reason.code === ENDED) return undefined;
    throw reason;
  }
}
