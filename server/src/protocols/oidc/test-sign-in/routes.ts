import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { lazily } from '#platform/cache.ts';
import { tryPath } from '#platform/own-addresses.ts';

/** Serves the redirect URI of test sign-ins (decision 177). The handler is loaded on the first request. */
export function oidcTestSignIn(app: FastifyInstance, deps: Deps): void {
  const handler = lazily(() => import('./test-sign-in.ts'));
  app.get<{ Params: { orgCode: string } }>(
    tryPath('oidc', ':orgCode'),
    { exposeHeadRoute: false },
    async (request, reply) => (await handler()).answerTestSignIn(app, deps, request, reply),
  );
}
