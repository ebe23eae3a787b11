import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type Moment = 'preflight' | 'onRequest' | 'preHandler';

interface Instead {
  isConcerned: (request: FastifyRequest) => boolean;
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Interceptors by the moment at which they run. */
    interceptors: Record<Moment, Instead[]>;
  }
}

/** Runs the first moment's interceptors. Call it before `allowOrigins`, which answers preflights. */
export function beforePreflights(app: FastifyInstance): void {
  const moments: Record<Moment, Instead[]> = { preflight: [], onRequest: [], preHandler: [] };
  app.decorate('interceptors', moments);
  app.addHook('onRequest', hookOf(moments.preflight));
}

/** Runs the other moments' interceptors. */
export function beforeHandlers(app: FastifyInstance): void {
  const { onRequest, preHandler } = app.interceptors;
  app.addHook('onRequest', hookOf(onRequest));
  app.addHook('preHandler', hookOf(preHandler));
}

/**
 * Lets the lab answer some requests instead of their handlers, or change them. Every request of the portal passes here,
 * so unaffected ones only pay for one synchronous hook per moment.
 * @param answer returns undefined if the handler should answer; its exceptions are sent as refusals
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
