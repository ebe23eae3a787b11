import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import { writeLimit } from '../../platform/http/rate-limit.ts';
import type { createOidcAnswers, OfOrganisation } from './answer-oidc.ts';

/**
 * Every organisation as an OpenID provider, under `/oidc/{orgCode}`. Everything but this file is loaded on the first
 * request.
 */
export function oidc(app: FastifyInstance, deps: Deps): void {
  // Imported once: importing even a loaded module takes longer than calling it.
  let loaded: ReturnType<typeof createOidcAnswers> | undefined;
  async function answers() {
    const { createOidcAnswers } = await import('./answer-oidc.ts');
    loaded ??= createOidcAnswers(deps);
    return loaded;
  }

  const scope: FastifyPluginAsync = async (at) => {
    // The library reads the body itself.
    at.removeAllContentTypeParsers();
    at.addContentTypeParser('*', (_request, _payload, done) => done(null));
    at.get<OfOrganisation>('/continue', async (request, reply) => (loaded ?? (await answers())).goOn(request, reply));
    const url = '/*';
    at.route<OfOrganisation>({
      method: ['GET', 'HEAD', 'OPTIONS'],
      url,
      handler: async (request, reply) => (loaded ?? (await answers())).serve(request, reply),
    });
    at.route<OfOrganisation>({
      method: 'POST',
      url,
      ...writeLimit(app, deps.config),
      handler: async (request, reply) => (loaded ?? (await answers())).serve(request, reply),
    });
  };
  app.register(scope, { prefix: '/oidc/:orgCode' });
}
