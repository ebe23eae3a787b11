import { organisationRepo } from '@orchestrate/db';
import { text } from '@orchestrate/shared';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { noAppLoginCookie, readAppLoginCookie } from '../../core/sign-in/app-logins/app-login-cookie.ts';
import { countFailure, secondsUntilRoom } from '../../core/sign-in/budgets.ts';
import type { Deps } from '../../deps.ts';
import { isAllowedIp } from '../../platform/http/callers/allowed-ip.ts';
import { networkOf } from '../../platform/http/callers/network-of.ts';
import { continuePath, oidcPath } from '../../platform/own-addresses.ts';
import { Refusal } from '../../platform/refusal.ts';
import { inWords } from '../../platform/waiting-time.ts';
import { tooManyCodesPage } from './device-pages.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { countWrongClient, limitTries } from './limit-tries.ts';
import { errorPage } from './pages.ts';
import { createProviders } from './providers.ts';
import { refuseAccess } from './refuse-access.ts';
import { OWN_HEADERS, sendPage } from './send-page.ts';
import { serveProvider } from './serve-provider.ts';

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

  /**
   * People may sign in only from addresses that their organisation allows, and this applies to continuing a session
   * too.
   */
  function isClosedTo({ params: { orgCode }, ip }: OidcRequest): boolean {
    const organisation = organisationRepo.findOrganisation(deps.db, orgCode);
    return !isAllowedIp(ip, organisation?.allowedIps ?? []);
  }

  return {
    async serve(request: OidcRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
      const { orgCode } = request.params;
      const serving = await requireProvider(orgCode);
      if (isSignIn(request) && isClosedTo(request)) return sendBlocked(reply);
      // Checked before the library runs, because the address is cut for it.
      const isProof = provesClient(request);
      const trier = entersCode(request) && { kind: 'user-code' as const, orgCode, subject: networkOf(request.ip) };
      const seconds = trier ? secondsUntilRoom(deps, deps.db, trier) : 0;
      if (seconds > 0) return sendTooManyCodes(reply, seconds);
      if (isProof) limitTries(request.raw, networkOf(request.ip));
      reply.hijack();
      keepOrigin(request, reply);
      await serveProvider(serving, oidcPath(orgCode), request.raw, reply.raw);
      if (isProof && reply.raw.statusCode === 401) countWrongClient(deps, orgCode, request.raw);
      if (trier && reply.raw.statusCode === 404) countFailure(deps, deps.db, trier);
    },

    /**
     * A request by POST goes on as one by GET: coming from another site, only that brings the cookies by which the
     * browser is known (decision 168).
     */
    async askByGet(
      path: string,
      { params: { orgCode }, body }: FastifyRequest<OfOrganisation & { Body: URLSearchParams | undefined }>,
      reply: FastifyReply,
    ): Promise<FastifyReply> {
      await requireProvider(orgCode);
      const address = `${oidcPath(orgCode)}${path}?${body ?? ''}`;
      if (address.length > ADDRESS_MAX_LENGTH) return sendPage(reply, 413, errorPage(TOO_LONG));
      return reply.headers(OWN_HEADERS).redirect(address, 303);
    },

    async metadata(request: OidcRequest, reply: FastifyReply): Promise<undefined> {
      const { orgCode } = request.params;
      const serving = await requireProvider(orgCode);
      reply.hijack();
      request.raw.url = `${oidcPath(orgCode)}/.well-known/openid-configuration`;
      await serveProvider(serving, oidcPath(orgCode), request.raw, reply.raw);
    },

    /** The way back from the sign-in page (decision 110). */
    async goOn(request: OidcRequest, reply: FastifyReply): Promise<FastifyReply> {
      if (isClosedTo(request)) return sendBlocked(reply);
      const { orgCode } = request.params;
      const { query, headers } = request;
      const serving = await requireProvider(orgCode);
      const { id = '' } = signInParams.safeParse(query).data ?? {};
      const browserSecret = readAppLoginCookie(deps, headers.cookie, id);
      const next = await finishSignIn(deps, serving.provider, { orgCode, id, browserSecret });
      if (next === undefined) return sendPage(reply, 400, errorPage(OVER));
      reply.headers(OWN_HEADERS).header('set-cookie', noAppLoginCookie(deps, id, continuePath('oidc', orgCode)));
      return reply.redirect(next, 303);
    },

    /** Tells somebody that they may not use the application. */
    async refuse(request: OidcRequest, reply: FastifyReply): Promise<FastifyReply> {
      const { orgCode } = request.params;
      const { provider } = await requireProvider(orgCode);
      const text = await refuseAccess(deps, provider, orgCode, request, reply);
      return text === undefined ? sendPage(reply, 400, errorPage(OVER)) : sendPage(reply, 403, text);
    },
  };
}

const signInParams = z.object({ id: text(64) });

/**
 * The authorization endpoint, the page for codes of devices, and what resumes at either; applications call the other
 * endpoints, from wherever they run.
 */
const isSignIn = ({ url }: OidcRequest): boolean => /^\/oidc\/[^/]+\/(?:auth|device)(?:[/?]|$)/.test(url);

/** The endpoints at which an application presents its secret. */
const provesClient = ({ method, url }: OidcRequest): boolean =>
  method === 'POST' && /^\/oidc\/[^/]+\/(?:token|request|device-authorization)(?:[/?]|$)/.test(url);

/** Where people enter the code of a device. */
const entersCode = ({ method, url }: OidcRequest): boolean =>
  method === 'POST' && /^\/oidc\/[^/]+\/device\/?(?:\?|$)/.test(url);

function sendTooManyCodes(reply: FastifyReply, seconds: number): FastifyReply {
  reply.header('retry-after', seconds);
  return sendPage(reply, 429, tooManyCodesPage(inWords(seconds)));
}

/**
 * What `CORS_ORIGINS` allows to a page goes on to the library's answer. The library then sees no origin: it would allow
 * less, the pages of an application and no cookies.
 */
function keepOrigin({ raw }: OidcRequest, reply: FastifyReply): void {
  if (!reply.hasHeader('access-control-allow-origin')) return;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined && /^(?:access-control-|vary$)/.test(name)) reply.raw.setHeader(name, value);
  }
  delete raw.headers.origin;
}

const sendBlocked = (reply: FastifyReply): FastifyReply => sendPage(reply, 403, errorPage(BLOCKED));

const BLOCKED = {
  error: 'access_denied',
  error_description: 'your organisation does not let anybody sign in from your address',
};

/** Node refuses headers, the address among them, beyond 16 kB. */
const ADDRESS_MAX_LENGTH = 12_000;

const TOO_LONG = {
  error: 'invalid_request',
  error_description: `the request is too long: at most ${ADDRESS_MAX_LENGTH} characters`,
};

const OVER = { error: 'expired', error_description: 'this sign-in is over, or was started in another browser' };
