import type { FastifyInstance } from 'fastify';

/**
 * Lets a HEAD be answered as its GET is, without the body (RFC 9110 §9.3.2). One route has both methods: a second route
 * for each HEAD, as Fastify would make, costs every start a fifth more. A GET that begins something or uses something
 * up says `exposeHeadRoute: false`.
 */
export function answerHead(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    if (route.exposeHeadRoute === false || !methods.includes('GET') || methods.includes('HEAD')) return;
    route.method = [...methods, 'HEAD'];
  });
}
