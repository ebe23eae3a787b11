import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Adds a hook that answers some requests in the place of their handlers. Every request of the portal comes past it, so those
 * that it does not concern pay for one question and no promise.
 * @param answer returns undefined where the handler shall answer after all
 */
export function answerInstead(
  app: FastifyInstance,
  hook: 'onRequest' | 'preHandler',
  isConcerned: (request: FastifyRequest) => boolean,
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>,
): void {
  const listener = (request: FastifyRequest, reply: FastifyReply, done: (reason?: Error) => void) => {
    if (!isConcerned(request)) return done();
    answer(request, reply).then((answered) => {
      if (answered === undefined) done();
    }, done);
  };
  if (hook === 'onRequest') app.addHook('onRequest', listener);
  else app.addHook('preHandler', listener);
}
