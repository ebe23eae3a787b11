import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { patternOf } from '#platform/http/contract-routes.ts';
import { LAB } from '../faults/require-served.ts';

/**
 * Answers each request from one world. If a reset ends it, a request that can be repeated (a GET without a token) is
 * answered from the next world, and any other is refused with INVALID_SESSION. The lab itself belongs to no world. Call
 * it before routes are added.
 */
export function answerInOneWorld(app: FastifyInstance, { world }: Deps): void {
  app.addHook('onRoute', (route) => {
    const { handler, websocket: isSocket } = route;
    if (isSocket) return;
    route.handler = function answer(request, reply): unknown {
      const run = (): unknown => handler.call(this, request, reply);
      if (patternOf(request)?.startsWith(LAB)) return run();
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
