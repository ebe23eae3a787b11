import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type Moment = 'preflight' | 'onRequest' | 'preHandler';

interface Instead {
  isConcerned: (request: FastifyRequest) => boolean;
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** What may answer instead of a handler, by the moment at which it does. */
    interceptors: Record<Moment, Instead[]>;
  }
}

/** Begins the first moment. Call it before `allowOrigins`, which answers what browsers ask ahead of a call. */
export function beforePreflights(app: FastifyInstance): void {
  const moments: Record<Moment, Instead[]> = { preflight: [], onRequest: [], preHandler: [] };
  app.decorate('interceptors', moments);
  app.addHook('onRequest', hookOf(moments.preflight));
}

/** Begins the other moments. */
export function beforeHandlers(app: FastifyInstance): void {
  const { onRequest, preHandler } = app.interceptors;
  app.addHook('onRequest', hookOf(onRequest));
  app.addHook('preHandler', hookOf(preHandler));
}

/**
 * Lets the lab answer some requests in the place of their handlers, or change them. Every request of the portal comes
 * past it, so those that it does not concern pay for one hook at each moment, for questions and no promise.
 * @param answer returns undefined where the handler shall answer after all; what it throws is answered as a refusal
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
