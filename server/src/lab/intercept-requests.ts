import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type Moment = 'preflight' | 'onRequest' | 'preHandler';

interface Instead {
  isConcerned: (request: FastifyRequest) => boolean;
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Interceptors by the phase in which they run. */
    interceptors: Record<Moment, Instead[]>;
  }
}

/** Runs the preflight interceptors. Call this function before `allowOrigins`, which responds to preflights. */
export function beforePreflights(app: FastifyInstance): void {
  const moments: Record<Moment, Instead[]> = { preflight: [], onRequest: [], preHandler: [] };
  app.decorate('interceptors', moments);
  app.addHook('onRequest', hookOf(moments.preflight));
}

/** Runs the onRequest and preHandler interceptors. */
export function beforeHandlers(app: FastifyInstance): void {
  const { onRequest, preHandler } = app.interceptors;
  app.addHook('onRequest', hookOf(onRequest));
  app.addHook('preHandler', hookOf(preHandler));
}

/**
 * Registers an interceptor that can respond to some requests in place of their handlers, or change them. The hooks
 * are shared and synchronous, because every request passes through them.
 * @param answer returns undefined to continue to the handler. Its exceptions are sent as refusals.
 */
export function interceptRequests(
  app: FastifyInstance,
  moment: Moment,
  isConcerned: Instead['isConcerned'],
  answer: Instead['answer'],
): void {
  app.interceptors[moment].push({ isConcerned, answer });
}

const hookOf =
  (all: readonly Instead[]) =>
  (request: FastifyRequest, reply: FastifyReply, done: (reason?: Error) => void): void => {
    for (const { isConcerned } of all) {
      if (!isConcerned(request)) continue;
      firstOf(all, request, reply).then((given) => {
        if (given === undefined) done();
      }, done);
      return;
    }
    done();
  };

async function firstOf(
  all: readonly Instead[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  for (const { isConcerned, answer } of all) {
    const given = isConcerned(request) ? await answer(request, reply) : undefined;
    if (given !== undefined) return given;
  }
  return undefined;
}
