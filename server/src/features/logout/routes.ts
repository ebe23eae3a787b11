import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { lazily } from '#platform/cache.ts';
import { logoutPath } from '#platform/own-addresses.ts';
import type { OfLogout } from './conduct.ts';

/** Serves the single logout of a browser from all applications, one after another (decision 178). */
export function logouts(app: FastifyInstance, deps: Deps): void {
  const conductor = lazily(() => import('./conduct.ts'));
  const path = logoutPath(':orgCode', ':id');
  // Prefetching programs must not sign anyone out.
  const begins = { exposeHeadRoute: false };
  app.get<OfLogout>(path, begins, async (request, reply) => (await conductor()).goOn(deps, request, reply));
  app.get<OfLogout>(`${path}/end`, begins, async (request, reply) => (await conductor()).goBack(deps, request, reply));
}
