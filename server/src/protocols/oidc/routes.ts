import { LIMITS } from '@orchestrate/shared';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '#deps.ts';
import { lazily } from '#platform/cache.ts';
import { writeLimit } from '#platform/http/callers/rate-limit.ts';
import { requireAnnouncedSize } from '#platform/http/requests/bound-body.ts';
import { acceptForms } from '#platform/http/requests/read-bodies.ts';
import { oidcPath, testSignInPath } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';
import type { OrganisationRoute } from './http/answer-oidc.ts';
import { refuseOAuth } from './http/oauth-error.ts';

/**
 * Returns true for GET requests that start an interaction. They write to the database before the sign-in, so they
 * count as public writes.
 */
const beginsInteraction = ({ url }: FastifyRequest): boolean =>
  /^\/oidc\/[^/]+\/(?:auth|device|session\/end)\/?(?:\?|$)/.test(url);

/** Methods that each endpoint supports, by the endpoint's path below the issuer. */
const METHODS: readonly [path: RegExp, methods: readonly string[]][] = [
  [/^(?:token|token\/introspection|token\/revocation|request|device-authorization|reg)$/, ['POST']],
  [/^reg\/[^/]+$/, ['GET', 'PUT', 'DELETE']],
  [/^(?:jwks|\.well-known\/[^/]+)$/, ['GET']],
  [/^(?:me|auth|device|session\/end)$/, ['GET', 'POST']],
];

/**
 * Throws if the endpoint doesn't support the request's method.
 * @throws Refusal BAD_REQUEST with 405 (RFC 9110 §15.5.6)
 */
function requireMethod({ method, url }: FastifyRequest, reply: FastifyReply): void {
  const path = /^\/oidc\/[^/]+\/+([^?]*?)\/*(?:\?|$)/.exec(url)?.[1] ?? '';
  const [, methods] = METHODS.find(([endpoint]) => endpoint.test(path)) ?? [];
  if (!methods || method === 'OPTIONS' || methods.includes(method === 'HEAD' ? 'GET' : method)) return;
  refuseMethod(reply, methods);
}

/**
 * Rejects a request and lists the supported methods in the Allow header.
 * @param methods methods that the endpoint supports
 * @throws Refusal BAD_REQUEST with 405
 */
function refuseMethod(reply: FastifyReply, methods: readonly string[]): never {
  reply.header('allow', [...methods, 'OPTIONS'].join(', '));
  throw new Refusal('BAD_REQUEST', { status: 405, message: `Use ${methods.join(' or ')}.` });
}

/**
 * Serves every organisation as an OpenID provider under `/oidc/{orgCode}`. All other files are loaded on the first
 * request.
 */
export function oidc(app: FastifyInstance, deps: Deps): void {
  deps.oidcProviders = lazily(async () => (await import('./provider/providers.ts')).createProviders(deps));
  const answers = lazily(async () => (await import('./http/answer-oidc.ts')).createOidcHandlers(deps));

  const refuse = (at: FastifyInstance) =>
    at.setErrorHandler((reason, request, reply) => refuseOAuth(deps, reason, request, reply));

  const scope: FastifyPluginAsync = async (at) => {
    refuse(at);
    // The library reads the request body itself, so Fastify must not parse it.
    at.removeAllContentTypeParsers();
    at.addContentTypeParser('*', (_request, _payload, done) => done(null));
    at.get<OrganisationRoute>('/continue', { exposeHeadRoute: false }, async (request, reply) =>
      (await answers()).resume(request, reply),
    );
    at.get<OrganisationRoute>('/confirm', { exposeHeadRoute: false }, async (request, reply) =>
      (await answers()).confirm(request, reply),
    );
    at.get<OrganisationRoute>('/no-access', { exposeHeadRoute: false }, async (request, reply) =>
      (await answers()).refuse(request, reply),
    );
    const url = '/*';
    at.addHook('onRequest', async (request, reply) => requireMethod(request, reply));
    at.route({
      method: ['PUT', 'PATCH', 'DELETE'],
      url,
      handler: async () => {
        throw new Refusal('ID_DOESNOT_EXIST', { status: 404 });
      },
    });
    const countWrite = deps.config.rateLimit > 0 ? app.rateLimit() : undefined;
    at.route<OrganisationRoute>({
      method: ['GET', 'HEAD', 'OPTIONS'],
      url,
      onRequest: async (request, reply) => {
        if (beginsInteraction(request)) await countWrite?.call(app, request, reply);
      },
      handler: async (request, reply) => (await answers()).serve(request, reply),
    });
    at.route<OrganisationRoute>({
      method: 'POST',
      url,
      ...writeLimit(app, deps.config),
      preHandler: async ({ raw }) => requireAnnouncedSize(raw, LIMITS.publicBodyBytes),
      handler: async (request, reply) => (await answers()).serve(request, reply),
    });
  };
  app.register(scope, { prefix: oidcPath(':orgCode') });

  // Endpoints that also accept POST (OpenID Connect Core 1.0 §3.1.2.1, RP-Initiated Logout 1.0 §2).
  const posts: FastifyPluginAsync = async (at) => {
    refuse(at);
    at.removeAllContentTypeParsers();
    acceptForms(at);
    for (const path of ['/auth', '/session/end']) {
      at.post<OrganisationRoute & { Body: URLSearchParams | undefined }>(
        path,
        { bodyLimit: LIMITS.publicBodyBytes, ...writeLimit(app, deps.config) },
        async (request, reply) => (await answers()).redirectToGet(path, request, reply),
      );
    }
    at.post<OrganisationRoute & { Body: URLSearchParams | undefined }>(
      '/confirm',
      writeLimit(app, deps.config),
      async (request, reply) => (await answers()).acceptConfirmation(request, reply),
    );
  };
  app.register(posts, { prefix: oidcPath(':orgCode') });

  // Some clients put the well-known segment before the issuer's path (RFC 8414 §3.1).
  const wellKnown: FastifyPluginAsync = async (at) => {
    refuse(at);
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const url = `/${name}${oidcPath(':orgCode')}`;
      at.get<OrganisationRoute>(url, async (request, reply) => (await answers()).metadata(request, reply));
      at.route({
        method: ['POST', 'PUT', 'PATCH', 'DELETE'],
        url,
        handler: async (_request, reply) => refuseMethod(reply, ['GET']),
      });
    }
  };
  app.register(wellKnown, { prefix: '/.well-known' });
}

/** Serves the redirect URI for test sign-ins (decision 177). The handler is loaded on the first request. */
export function oidcTestSignIn(app: FastifyInstance, deps: Deps): void {
  const handler = lazily(() => import('./test-sign-in/test-sign-in.ts'));
  app.get<{ Params: { orgCode: string } }>(
    testSignInPath('oidc', ':orgCode'),
    { exposeHeadRoute: false },
    async (request, reply) => (await handler()).answerTestSignIn(app, deps, request, reply),
  );
}
