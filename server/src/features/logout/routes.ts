import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { lazily } from '#platform/cache.ts';
import { logoutPath } from '#platform/own-addresses.ts';
import type { OfLogout } from './conduct.ts';

/** Ends everything that a browser is signed in to, one after the other (decision 178). */
export function logouts(app: FastifyInstance, deps: Deps): void {
  const conductor = lazily(() => import('./conduct.ts'));
  const path = logoutPath(':orgCode', ':id');
  // Nobody is signed out by a program that looks ahead.
  const begins = { exposeHeadRoute: false };
  app.get<OfLogout>(path, begins, async (request, reply) => (await conductor()).goOn(deps, request, reply));
  app.get<OfLogout>(`${path}/end`, begins, async (request, reply) => (await conductor()).goBack(deps, request, reply));
}
