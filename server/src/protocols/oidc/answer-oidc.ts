import { organisationRepo } from '@orchestrate/db';
import { LIMITS, text } from '@orchestrate/shared';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { browserOf } from '../../core/sign-in/browser-id.ts';
import { countFailure, secondsUntilRoom } from '../../core/sign-in/budgets.ts';
import type { Deps } from '../../deps.ts';
import { isAllowedIp } from '../../platform/http/callers/allowed-ip.ts';
import { networkOf } from '../../platform/http/callers/network-of.ts';
import { requireAnnouncedSize } from '../../platform/http/requests/bound-body.ts';
import { oidcPath } from '../../platform/own-addresses.ts';
import { Refusal } from '../../platform/refusal.ts';
import { inWords } from '../../platform/waiting-time.ts';
import { acceptConfirmation, askToConfirm } from './confirm-application.ts';
import { tooManyCodesPage } from './device-pages.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { boundLibraryBody } from './large-bodies.ts';
import { limitTries } from './limit-tries.ts';
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
  function isClosedTo({ params: { orgCode }, ip }: Pick<OidcRequest, 'params' | 'ip'>): boolean {
    const organisation = organisationRepo.findOrganisation(deps.db, orgCode);
    return !isAllowedIp(ip, organisation?.allowedIps ?? []);
  }

  return {
    async serve(request: OidcRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
      const { orgCode } = request.params;
      const serving = await requireProvider(orgCode);
      if (!isEndpoint(request)) throw new Refusal('ID_DOESNOT_EXIST', { status: 404 });
      if (isSignIn(request) && isClosedTo(request)) return sendBlocked(reply);
      if (isTooLong(request)) return sendPage(reply, 413, errorPage(TOO_LONG));
      const trier = entersCode(request) && { kind: 'user-code' as const, orgCode, subject: networkOf(request.ip) };
      const seconds = trier ? secondsUntilRoom(deps, deps.db, trier) : 0;
      if (seconds > 0) return sendTooManyCodes(reply, seconds);
      if (provesClient(request)) limitTries(request.raw, networkOf(request.ip));
      const maxBytes = startsDevice(request) ? LIMITS.authorizationRequestBytes : LIMITS.publicBodyBytes;
      requireAnnouncedSize(request.raw, maxBytes);
      reply.hijack();
      keepOrigin(request, reply);
      boundLibraryBody(request.raw, maxBytes);
      await serveProvider(serving, oidcPath(orgCode), request.raw, reply.raw);
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
      if (isTooLong({ url: address })) return sendPage(reply, 413, errorPage(TOO_LONG));
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
      const browser = browserOf(deps, headers.cookie);
      const next = await finishSignIn(deps, serving.provider, { orgCode, id, browser });
      if (next === undefined) return sendPage(reply, 400, errorPage(OVER));
      return reply.headers(OWN_HEADERS).redirect(next, 303);
    },

    /** Asks the person whether to continue to an application that this browser hasn't used before. */
    async confirm(request: OidcRequest, reply: FastifyReply): Promise<FastifyReply> {
      if (isClosedTo(request)) return sendBlocked(reply);
      const { orgCode } = request.params;
      const { provider } = await requireProvider(orgCode);
      const text = await askToConfirm(deps, provider, { orgCode, request, reply });
      return text === undefined ? sendPage(reply, 400, errorPage(OVER)) : sendPage(reply, 200, text);
    },

    async acceptConfirmation(
      request: FastifyRequest<OfOrganisation & { Body: URLSearchParams | undefined }>,
      reply: FastifyReply,
    ): Promise<FastifyReply> {
      if (isClosedTo(request)) return sendBlocked(reply);
      const { orgCode } = request.params;
      const { provider } = await requireProvider(orgCode);
      const next = await acceptConfirmation(deps, provider, { orgCode, request, reply, form: request.body });
      if (next === undefined) return sendPage(reply, 400, errorPage(OVER));
      return reply.headers(OWN_HEADERS).redirect(next, 303);
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
 * The addresses of endpoints, in the one spelling that the checks below know. The library ignores letter case, and all
 * after a `#`.
 */
const isEndpoint = ({ url }: OidcRequest): boolean =>
  /^\/oidc\/[^/]+\/+(?:(?:auth|device)\/[\w-]+|[a-z\d._/-]*)\/*$/.test(url.split('?', 1)[0] ?? '');

/**
 * The authorization endpoint, the page for codes of devices, and what resumes at either; applications call the other
 * endpoints, from wherever they run.
 */
const isSignIn = ({ url }: OidcRequest): boolean => /^\/oidc\/[^/]+\/(?:auth|device)(?:[/?]|$)/.test(url);

/** The endpoints at which an application presents its secret. */
const provesClient = ({ method, url }: OidcRequest): boolean =>
  method === 'POST' && /^\/oidc\/[^/]+\/(?:token|request|device-authorization)(?:[/?]|$)/.test(url);

/** Where a device asks for a code: what it sends is stored until a person has entered the code. */
const startsDevice = ({ method, url }: OidcRequest): boolean =>
  method === 'POST' && /^\/oidc\/[^/]+\/device-authorization\/?(?:\?|$)/.test(url);

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

const isTooLong = ({ url }: Pick<OidcRequest, 'url'>): boolean =>
  url.slice(`${url}?`.indexOf('?') + 1).length > LIMITS.authorizationRequestBytes;

const TOO_LONG = {
  error: 'invalid_request',
  error_description: `the request is too long: at most ${LIMITS.authorizationRequestBytes} characters`,
};

const OVER = { error: 'expired', error_description: 'this sign-in has ended or was started in another browser' };
