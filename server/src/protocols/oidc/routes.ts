import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import { writeLimit } from '../../platform/http/callers/rate-limit.ts';
import { bodyTooLarge } from '../../platform/http/requests/body-too-large.ts';
import { readForms } from '../../platform/http/requests/read-forms.ts';
import { lazily } from '../../platform/lazily.ts';
import { oidcPath } from '../../platform/own-addresses.ts';
import type { OfOrganisation } from './answer-oidc.ts';
import { FORM_MAX_BYTES } from './form-size.ts';
import { refuseOAuth } from './oauth-error.ts';

/**
 * Every organisation as an OpenID provider, under `/oidc/{orgCode}`. Everything but this file is loaded on the first
 * request.
 */
export function oidc(app: FastifyInstance, deps: Deps): void {
  const answers = lazily(async () => (await import('./answer-oidc.ts')).createOidcAnswers(deps));

  const refuse = (at: FastifyInstance) =>
    at.setErrorHandler((reason, request, reply) => refuseOAuth(deps, reason, request, reply));

  const scope: FastifyPluginAsync = async (at) => {
    refuse(at);
    // The library reads the body itself.
    at.removeAllContentTypeParsers();
    at.addContentTypeParser('*', (_request, _payload, done) => done(null));
    at.get<OfOrganisation>('/continue', { exposeHeadRoute: false }, async (request, reply) =>
      (await answers()).goOn(request, reply),
    );
    at.get<OfOrganisation>('/no-access', { exposeHeadRoute: false }, async (request, reply) =>
      (await answers()).refuse(request, reply),
    );
    const url = '/*';
    at.route<OfOrganisation>({
      method: ['GET', 'HEAD', 'OPTIONS'],
      url,
      handler: async (request, reply) => (await answers()).serve(request, reply),
    });
    at.route<OfOrganisation>({
      method: 'POST',
      url,
      ...writeLimit(app, deps.config),
      preHandler: async ({ headers }) => {
        if (Number(headers['content-length']) > FORM_MAX_BYTES) throw bodyTooLarge(FORM_MAX_BYTES);
      },
      handler: async (request, reply) => (await answers()).serve(request, reply),
    });
  };
  app.register(scope, { prefix: oidcPath(':orgCode') });

  // By POST as well as by GET (OpenID Connect Core 1.0 §3.1.2.1, RP-Initiated Logout 1.0 §2).
  const posts: FastifyPluginAsync = async (at) => {
    refuse(at);
    at.removeAllContentTypeParsers();
    readForms(at);
    for (const path of ['/auth', '/session/end']) {
      at.post<OfOrganisation & { Body: URLSearchParams | undefined }>(
        path,
        writeLimit(app, deps.config),
        async (request, reply) => (await answers()).askByGet(path, request, reply),
      );
    }
  };
  app.register(posts, { prefix: oidcPath(':orgCode') });

  // Where clients look that put the well-known name before the issuer's path (RFC 8414 §3.1).
  const wellKnown: FastifyPluginAsync = async (at) => {
    refuse(at);
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      at.get<OfOrganisation>(`/${name}${oidcPath(':orgCode')}`, async (request, reply) =>
        (await answers()).metadata(request, reply),
      );
    }
  };
  app.register(wellKnown, { prefix: '/.well-known' });
}
