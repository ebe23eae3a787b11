import type { IncomingMessage, ServerResponse } from 'node:http';
import { browserRepo, deviceRepo, organisationRepo } from '@orchestrate/db';
import { LIMITS, type LoginMode, text } from '@orchestrate/shared';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose/jwt/decode';
import type { InteractionResults, Provider } from 'oidc-provider';
import { z } from 'zod';
import {
  type AppLoginOfBrowser,
  claimAppLogin,
  hasStepUp,
  reportsStepUp,
} from '#core/sign-in/app-logins/begin-app-login.ts';
import { browserOf } from '#core/sign-in/browser-id.ts';
import { findActiveMember } from '#core/sign-in/find-member.ts';
import { countFailure, retryAfterSeconds } from '#core/sign-in/throttles.ts';
import type { Deps } from '#deps.ts';
import { isAllowedIp } from '#platform/http/callers/allowed-ip.ts';
import { networkOf } from '#platform/http/callers/network-of.ts';
import { requireAnnouncedSize } from '#platform/http/requests/bound-body.ts';
import { oidcPath } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';
import { inWords } from '#platform/times.ts';
import { tooManyCodesPage } from '../device-flow/device-pages.ts';
import { timeForLibrary } from '../provider/portal-time.ts';
import type { OidcServing } from '../provider/serving.ts';
import { essentialContexts, requestedOfIdToken, STEP_UP } from '../sign-in/acr.ts';
import { acceptConfirmation, askToConfirm } from '../sign-in/confirm-application.ts';
import { refuseAccess } from '../sign-in/refuse-access.ts';
import { rememberedFor, SELECT_ACCOUNT } from '../sign-in/sign-in-policy.ts';
import { errorPage } from './pages.ts';
import { OWN_HEADERS, PAGE_HEADERS, sendPage } from './send-page.ts';

type SignedIn = NonNullable<ReturnType<typeof claimAppLogin>>;

/**
 * Finishes the sign-in for an authorization request.
 * @returns the path at which the browser continues; undefined if nobody has signed in, the request has expired, or it was
 * started in another browser
 */
async function finishSignIn(
  deps: Deps,
  provider: Provider,
  { orgCode, ...login }: AppLoginOfBrowser & { orgCode: string },
): Promise<string | undefined> {
  const signedIn = claimAppLogin(deps, orgCode, login);
  const interaction = signedIn?.protocol === 'oidc' ? await provider.Interaction.find(login.id) : undefined;
  if (!signedIn || !interaction) return undefined;
  // The member may have been disabled since the approval, or the device paused or reported lost.
  if (!findActiveMember(deps.db, orgCode, signedIn.suid)) return undefined;
  const device = deviceRepo.findDevice(deps.db, orgCode, signedIn.zid);
  if (device?.status !== 'active') return undefined;
  interaction.result = resultOf(deps, interaction.params, signedIn, device);
  await interaction.persist();
  // Without the origin, so that the browser stays at the host under which it reached the portal.
  return new URL(interaction.returnTo).pathname;
}

function resultOf(
  deps: Deps,
  params: Record<string, unknown>,
  signedIn: SignedIn,
  device: deviceRepo.DeviceRow,
): InteractionResults {
  if (!isExpected(params, signedIn)) {
    return { error: 'login_required', error_description: 'a user other than the one in the request has signed in' };
  }
  const login = loginOf(deps, signedIn, device);
  if (login.acr !== STEP_UP && essentialContexts(params).length > 0) return UNMET;
  return { login, [SELECT_ACCOUNT]: {} };
}

/** OpenID Connect Core Unmet Authentication Requirements 1.0 §2. */
const UNMET = {
  error: 'unmet_authentication_requirements',
  error_description: 'the device is new and must be confirmed by an older one before it provides the essential acr',
};

/**
 * Returns whether a request allows this user: one that names a user by an `id_token_hint` or the claim `sub` allows
 * nobody else (OpenID Connect Core 1.0 §3.1.2.2, §5.5.1).
 */
function isExpected(params: Record<string, unknown>, { suid }: SignedIn): boolean {
  const { id_token_hint: hint } = params;
  // The library has verified the token.
  const hinted = typeof hint === 'string' ? decodeJwt(hint).sub : suid;
  return hinted === suid && (requestedOfIdToken(params)?.sub?.value ?? suid) === suid;
}

function loginOf(
  deps: Deps,
  signedIn: SignedIn,
  device: deviceRepo.DeviceRow,
): NonNullable<InteractionResults['login']> {
  const { orgCode, appId, suid, zid, mode } = signedIn;
  const isStepUp = reportsStepUp(signedIn, device, deps.clock.now());
  return {
    accountId: suid,
    zid,
    browser: signedIn.browser,
    hasStepUp: hasStepUp(signedIn),
    ts: timeForLibrary(deps.clock, authenticatedWhen(deps, signedIn)),
    amr: amrOf(mode, isStepUp),
    remember: rememberedFor(deps, orgCode, appId) > 0,
    ...(isStepUp && { acr: STEP_UP }),
  };
}

/**
 * Returns when the user last proved their presence, in milliseconds. A remembered browser proves nothing about today; if
 * there are several for the same device, the oldest counts.
 */
function authenticatedWhen({ db }: Deps, { orgCode, suid, zid, mode, authenticatedAt }: SignedIn): number {
  if (mode !== 'COOKIE') return authenticatedAt;
  const remembered = browserRepo.listBrowsers(db, orgCode, suid).filter((browser) => browser.zid === zid);
  return Math.min(authenticatedAt, ...remembered.map(({ createdAt }) => createdAt));
}

/** RFC 8176 §2: the key of a device; several factors if the user also proved to be at the browser. */
function amrOf(mode: LoginMode, isStepUp: boolean): string[] {
  if (mode === 'COOKIE') return [];
  return isStepUp ? ['hwk', 'mfa'] : ['hwk'];
}

/**
 * Lets a provider answer a request of which nothing has been read yet.
 * @param mount the provider's path, e.g. `/oidc/acme`
 */
async function serveProvider(
  { serve, issuer }: OidcServing,
  mount: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = canonicalUrl((request.url ?? '').slice(mount.length));
  Object.assign(request, { url, originalUrl: `${mount}${url}` });
  pretendIssuerHost(request, issuer);
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
  await serve(request, response);
}

/**
 * Returns the spelling of a URL that the library expects. A client whose issuer ends in a slash requests
 * `{issuer}//.well-known/…` and gets the same document (OpenID Connect Discovery 1.0 §4.3).
 */
const canonicalUrl = (url: string): string =>
  url
    .replace(/^\/+(\.well-known\/[^/?]+)\/*(?=\?|$)/, '/$1')
    // Clients that know only OAuth request this one (RFC 8414 §3).
    .replace(/^\/\.well-known\/oauth-authorization-server(?=\?|$)/, '/.well-known/openid-configuration');

/** Replaces `Host` and forwarding headers, so that URLs in answers have the issuer's host and protocol. */
function pretendIssuerHost({ headers }: IncomingMessage, { host, protocol }: URL): void {
  headers.host = host;
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
  delete headers['x-forwarded-host'];
}

export interface OfOrganisation {
  Params: { orgCode: string };
}

type OidcRequest = FastifyRequest<OfOrganisation>;
type FormRequest = FastifyRequest<OfOrganisation & { Body: URLSearchParams | undefined }>;

/** Returns the handlers that answer for the providers of all organisations. */
export function createOidcAnswers(deps: Deps) {
  async function requireProvider(orgCode: string) {
    const serving = await (await deps.oidcProviders()).providerOf(orgCode);
    if (!serving) throw new Refusal('ORG_CODE_NOT_FOUND', { status: 404 });
    return serving;
  }

  /** Returns whether the organisation blocks sign-ins from the caller's address; sessions can't continue there either. */
  function isBlocked({ params: { orgCode }, ip }: Pick<OidcRequest, 'params' | 'ip'>): boolean {
    const organisation = organisationRepo.findOrganisation(deps.db, orgCode);
    return !isAllowedIp(ip, organisation?.allowedIps ?? []);
  }

  return {
    async serve(request: OidcRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
      const { orgCode } = request.params;
      const serving = await requireProvider(orgCode);
      if (!isEndpoint(request)) throw new Refusal('ID_DOESNOT_EXIST', { status: 404 });
      if (isSignIn(request) && isBlocked(request)) return sendBlocked(reply);
      if (isTooLong(request)) return sendPage(reply, 413, errorPage(TOO_LONG));
      const subject = entersCode(request) && { kind: 'user-code' as const, orgCode, subject: networkOf(request.ip) };
      const seconds = subject ? retryAfterSeconds(deps, deps.db, subject) : 0;
      if (seconds > 0) return sendTooManyCodes(reply, seconds);
      if (authenticatesClient(request)) serving.limitAttempts(request.raw, networkOf(request.ip));
      requireAnnouncedSize(
        request.raw,
        startsDevice(request) ? LIMITS.authorizationRequestBytes : LIMITS.publicBodyBytes,
      );
      reply.hijack();
      hideOrigin(request, reply);
      await serveProvider(serving, oidcPath(orgCode), request.raw, reply.raw);
      if (subject && reply.raw.statusCode === 404) countFailure(deps, deps.db, subject);
    },

    /**
     * Redirects a POST to the same request by GET: from another site, only that brings the cookies that identify the
     * browser (decision 111).
     */
    async redirectToGet(path: string, { params: { orgCode }, body }: FormRequest, reply: FastifyReply) {
      await requireProvider(orgCode);
      const url = `${oidcPath(orgCode)}${path}?${body ?? ''}`;
      if (isTooLong({ url })) return sendPage(reply, 413, errorPage(TOO_LONG));
      return reply.headers(OWN_HEADERS).redirect(url, 303);
    },

    async metadata(request: OidcRequest, reply: FastifyReply): Promise<undefined> {
      const { orgCode } = request.params;
      const serving = await requireProvider(orgCode);
      reply.hijack();
      request.raw.url = `${oidcPath(orgCode)}/.well-known/openid-configuration`;
      await serveProvider(serving, oidcPath(orgCode), request.raw, reply.raw);
    },

    /** Continues an authorization request after the sign-in page (decision 110). */
    async resume(request: OidcRequest, reply: FastifyReply): Promise<FastifyReply> {
      if (isBlocked(request)) return sendBlocked(reply);
      const { orgCode } = request.params;
      const { query, headers } = request;
      const { provider } = await requireProvider(orgCode);
      const { id = '' } = resumeParams.safeParse(query).data ?? {};
      const browser = browserOf(deps, headers.cookie);
      const next = await finishSignIn(deps, provider, { orgCode, id, browser });
      if (next === undefined) return sendPage(reply, 400, errorPage(EXPIRED));
      return reply.headers(OWN_HEADERS).redirect(next, 303);
    },

    /** Asks the user whether to continue to an application that this browser hasn't used before. */
    async confirm(request: OidcRequest, reply: FastifyReply): Promise<FastifyReply> {
      if (isBlocked(request)) return sendBlocked(reply);
      const { orgCode } = request.params;
      const { provider } = await requireProvider(orgCode);
      const html = await askToConfirm(deps, provider, { orgCode, request, reply });
      return html === undefined ? sendPage(reply, 400, errorPage(EXPIRED)) : sendPage(reply, 200, html);
    },

    async acceptConfirmation(request: FormRequest, reply: FastifyReply): Promise<FastifyReply> {
      if (isBlocked(request)) return sendBlocked(reply);
      const { orgCode } = request.params;
      const { provider } = await requireProvider(orgCode);
      const next = await acceptConfirmation(deps, provider, { orgCode, request, reply, form: request.body });
      if (next === undefined) return sendPage(reply, 400, errorPage(EXPIRED));
      return reply.headers(OWN_HEADERS).redirect(next, 303);
    },

    /** Tells the user that they can't use the application. */
    async refuse(request: OidcRequest, reply: FastifyReply): Promise<FastifyReply> {
      const { orgCode } = request.params;
      const { provider } = await requireProvider(orgCode);
      const html = await refuseAccess(deps, provider, orgCode, request, reply);
      return html === undefined ? sendPage(reply, 400, errorPage(EXPIRED)) : sendPage(reply, 403, html);
    },
  };
}

const resumeParams = z.object({ id: text(64) });

/**
 * Accepts endpoints only in the spelling that the checks below expect. The library ignores letter case and everything
 * after a `#`.
 */
const isEndpoint = ({ url }: OidcRequest): boolean =>
  /^\/oidc\/[^/]+\/+(?:(?:auth|device)\/[\w-]+|[a-z\d._/-]*)\/*$/.test(url.split('?', 1)[0] ?? '');

/**
 * Matches the authorization endpoint, the page for device codes, and what resumes at either. Applications call all other
 * endpoints, from any address.
 */
const isSignIn = ({ url }: OidcRequest): boolean => /^\/oidc\/[^/]+\/(?:auth|device)(?:[/?]|$)/.test(url);

/** Matches the endpoints at which an application sends its secret. */
const authenticatesClient = ({ method, url }: OidcRequest): boolean =>
  method === 'POST' && /^\/oidc\/[^/]+\/(?:token|request|device-authorization)(?:[/?]|$)/.test(url);

/** Matches a device's request for a code. Its parameters are stored until a user enters the code. */
const startsDevice = ({ method, url }: OidcRequest): boolean =>
  method === 'POST' && /^\/oidc\/[^/]+\/device-authorization\/?(?:\?|$)/.test(url);

/** Matches the form in which users enter a device's code. */
const entersCode = ({ method, url }: OidcRequest): boolean =>
  method === 'POST' && /^\/oidc\/[^/]+\/device\/?(?:\?|$)/.test(url);

function sendTooManyCodes(reply: FastifyReply, seconds: number): FastifyReply {
  reply.header('retry-after', seconds);
  return sendPage(reply, 429, tooManyCodesPage(inWords(seconds)));
}

/**
 * Copies to the library's answer what `CORS_ORIGINS` allows to a page, and hides the origin from the library, which would
 * allow less: pages of the application only, and no cookies.
 */
function hideOrigin({ raw }: OidcRequest, reply: FastifyReply): void {
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

const EXPIRED = { error: 'expired', error_description: 'this sign-in has ended or was started in another browser' };
