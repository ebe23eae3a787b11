import { organisationRepo } from '@orchestrate/db';
import { text } from '@orchestrate/shared';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { noAppLoginCookie, readAppLoginCookie } from '../../app-logins/app-login-cookie.ts';
import type { Deps } from '../../deps.ts';
import { isAllowedIp } from '../../http/allowed-ip.ts';
import { Refusal } from '../../http/refusal.ts';
import { continuePath } from './continue-path.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { errorPage } from './pages.ts';
import { createProviders } from './providers.ts';
import { PAGE_HEADERS, serveProvider } from './serve-provider.ts';

export interface OfOrganisation {
  Params: { orgCode: string };
}

type OidcRequest = FastifyRequest<OfOrganisation>;

/** How the providers of all organisations answer. */
export function createOidcAnswers(deps: Deps) {
  const { providerOf } = createProviders(deps);

  async function requireProvider(orgCode: string) {
    const serving = await providerOf(orgCode);
    if (!serving) throw new Refusal('ORG_CODE_NOT_FOUND', { status: 404 });
    return serving;
  }

  /** People sign in here from where the organisation lets them: with a session that goes on as much as without. */
  function isClosedTo({ params: { orgCode }, ip }: OidcRequest): boolean {
    const organisation = organisationRepo.findOrganisation(deps.db, orgCode);
    return !isAllowedIp(ip, organisation?.allowedIps ?? []);
  }

  return {
    async serve(request: OidcRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
      const { orgCode } = request.params;
      const serving = await requireProvider(orgCode);
      if (isSignIn(request) && isClosedTo(request)) return sendBlocked(reply);
      reply.hijack();
      await serveProvider(serving, `/oidc/${orgCode}`, request.raw, reply.raw);
    },

    /** The way back from the sign-in page (decision 110). */
    async goOn(request: OidcRequest, reply: FastifyReply): Promise<FastifyReply> {
      if (isClosedTo(request)) return sendBlocked(reply);
      const { orgCode } = request.params;
      const { query, headers } = request;
      const serving = await requireProvider(orgCode);
      const { id = '' } = way.safeParse(query).data ?? {};
      const browserSecret = readAppLoginCookie(deps, headers.cookie, id);
      const next = await finishSignIn(deps, serving.provider, { orgCode, id, browserSecret });
      reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-store' });
      if (next === undefined) return reply.code(400).type('text/html; charset=utf-8').send(errorPage(OVER));
      reply.header('set-cookie', noAppLoginCookie(deps, id, continuePath(orgCode)));
      return reply.redirect(next, 303);
    },
  };
}

const way = z.object({ id: text(64) });

/** The authorization endpoint and what resumes there; the others are asked by applications, from wherever they run. */
const isSignIn = ({ url }: OidcRequest): boolean => /^\/oidc\/[^/]+\/auth(?:[/?]|$)/.test(url);

const sendBlocked = (reply: FastifyReply): FastifyReply =>
  reply
    .code(403)
    .headers({ ...PAGE_HEADERS, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(errorPage(BLOCKED));

const BLOCKED = {
  error: 'access_denied',
  error_description: 'your organisation does not let anybody sign in from your address',
};

const OVER = { error: 'expired', error_description: 'this sign-in is over, or another browser began it' };
