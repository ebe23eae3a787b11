import Fastify, { type FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import { people } from './features/people/routes.ts';
import { service } from './features/service/routes.ts';
import { session } from './features/session/routes.ts';
import { settings } from './features/settings/routes.ts';
import { answerErrors } from './http/answer-error.ts';
import { limitRates } from './http/rate-limit.ts';
import { serveUpgrades } from './live/upgrade.ts';

/** The whole portal, not listening yet. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const app = Fastify({ loggerInstance: deps.log, disableRequestLogging: true, forceCloseConnections: 'idle' });
  answerErrors(app);
  await limitRates(app, deps.config);
  serveUpgrades(app, deps);

  service(app, deps);
  session(app, deps);
  people(app, deps);
  settings(app, deps);
  return app;
}
