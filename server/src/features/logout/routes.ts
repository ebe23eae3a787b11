import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { lazily } from '#platform/cache.ts';
import { logoutPath } from '#platform/own-addresses.ts';
import type { LogoutRoute } from './run-logout.ts';

/** Serves a browser's single logout, one application after another (decision 178). */
export function logouts(app: FastifyInstance, deps: Deps): void {
  const runner = lazily(() => import('./run-logout.ts'));
  const path = logoutPath(':orgCode', ':id');
  // No HEAD routes, because prefetching must not sign anyone out.
  const options = { exposeHeadRoute: false };
  app.get<LogoutRoute>(path, options, async (request, reply) => (await runner()).resumeLogout(deps, request, reply));
  app.get<LogoutRoute>(`${path}/end`, options, async (request, reply) =>
    (await runner()).returnToInitiator(deps, request, reply),
  );
}
