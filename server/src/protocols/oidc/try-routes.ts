import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { tryPath } from '../../platform/own-addresses.ts';

/** The redirect address of a try (decision 133). Everything but this file is loaded on the first one. */
export function oidcTry(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { orgCode: string } }>(
    tryPath('oidc', ':orgCode'),
    { exposeHeadRoute: false },
    async (request, reply) => {
      const { answerTry } = await import('./answer-try.ts');
      return answerTry(app, deps, request, reply);
    },
  );
}
