import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { patternOf } from '#platform/http/contract-routes.ts';
import { LAB_PREFIX } from '../faults/require-served.ts';

/**
 * Handles each request entirely within one world. If a reset interrupts it, a safely repeatable request (a GET
 * without a token) is retried in the new world; any other request is refused with INVALID_SESSION. The lab's own
 * routes are exempt. Call this before adding routes.
 */
export function bindRequestsToWorld(app: FastifyInstance, { world }: Deps): void {
  app.addHook('onRoute', (route) => {
    const { handler, websocket: isSocket } = route;
    if (isSocket) return;
    route.handler = function answer(request, reply): unknown {
      const run = (): unknown => handler.call(this, request, reply);
      if (patternOf(request)?.startsWith(LAB_PREFIX)) return run();
      const { lifetime } = world;
      const answered = lifetime.run(run);
      const canRepeat = /^(?:GET|HEAD)$/.test(request.method) && request.headers.authorization === undefined;
      if (!canRepeat || !(answered instanceof Promise)) return answered;
      return answered.catch((reason: unknown) => {
        if (!lifetime.hasEnded || reply.sent) throw reason;
        return answer.call(this, request, reply);
      });
    };
  });
}
