import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { lazily } from '#platform/cache.ts';
import { logoutPath } from '#platform/own-addresses.ts';
import type { LogoutRoute } from './run-logout.ts';

/** Serves the single logout of a browser from all applications, one after another (decision 178). */
export function logouts(app: FastifyInstance, deps: Deps): void {
  const runner = lazily(() => import('./run-logout.ts'));
  const path = logoutPath(':orgCode', ':id');
  // Prefetching programs must not sign anyone out.
  const options = { exposeHeadRoute: false };
  app.get<LogoutRoute>(path, options, async (request, reply) => (await runner()).resumeLogout(deps, request, reply));
  app.get<LogoutRoute>(`${path}/end`, options, async (request, reply) =>
    (await runner()).returnToStarter(deps, request, reply),
  );
}
