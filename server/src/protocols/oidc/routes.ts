import { text } from '@orchestrate/shared';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { writeLimit } from '../../http/rate-limit.ts';
import { Refusal } from '../../http/refusal.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { errorPage } from './pages.ts';
import { createProviders, type Providers } from './providers.ts';
import { PAGE_HEADERS, serveProvider } from './serve-provider.ts';
import { cookieOf, signInCookie } from './sign-in-cookie.ts';

interface OfOrganisation {
  Params: { orgCode: string };
}

/** Every organisation as an OpenID provider, under `/oidc/{orgCode}`. */
export function oidc(app: FastifyInstance, deps: Deps): void {
  const providers = createProviders(deps);

  const scope: FastifyPluginAsync = async (at) => {
    // The library reads the body itself.
    at.removeAllContentTypeParsers();
    at.addContentTypeParser('*', (_request, _payload, done) => done(null));
    at.get<OfOrganisation>('/continue', (request, reply) => goOn(deps, providers, request, reply));
    at.route<OfOrganisation>({ method: ['GET', 'HEAD', 'OPTIONS'], url: '/*', handler: serve });
    at.route<OfOrganisation>({ method: 'POST', url: '/*', handler: serve, ...writeLimit(app, deps.config) });
  };
  app.register(scope, { prefix: '/oidc/:orgCode' });

  async function serve(request: FastifyRequest<OfOrganisation>, reply: FastifyReply): Promise<void> {
    const { orgCode } = request.params;
    const serving = await providers.providerOf(orgCode);
    if (!serving) throw new Refusal('ORG_CODE_NOT_FOUND', { status: 404 });
    reply.hijack();
    await serveProvider(serving, `/oidc/${orgCode}`, request.raw, reply.raw);
  }
}

const way = z.object({ id: text(64) });

/** The way back from the sign-in page (decision 110). */
async function goOn(
  deps: Deps,
  { providerOf }: Providers,
  { params: { orgCode }, query, headers }: FastifyRequest<OfOrganisation>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const serving = await providerOf(orgCode);
  if (!serving) throw new Refusal('ORG_CODE_NOT_FOUND', { status: 404 });
  const { id = '' } = way.safeParse(query).data ?? {};
  const { name, path } = signInCookie(orgCode, id);
  const browserSecret = cookieOf(headers.cookie, name);
  const next =
    browserSecret === undefined
      ? undefined
      : await finishSignIn(deps, serving.provider, { orgCode, id, browserSecret });
  reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-store' });
  if (next === undefined) return reply.code(400).type('text/html; charset=utf-8').send(errorPage(OVER));
  reply.header('set-cookie', `${name}=; Path=${path}; Max-Age=0; HttpOnly; SameSite=Lax`);
  return reply.redirect(next, 303);
}

const OVER = { error: 'expired', error_description: 'this sign-in is over, or another browser began it' };
