import type { IncomingMessage, ServerResponse } from 'node:http';
import { browserRepo, deviceRepo, organisationRepo } from '@orchestrate/db';
import { LIMITS, type LoginMode, text } from '@orchestrate/shared';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose/jwt/decode';
import type { InteractionResults, Provider } from 'oidc-provider';
import { z } from 'zod';
import {
  type BrowserAppSignIn,
  claimAppSignIn,
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
import { durationInWords } from '#platform/times.ts';
import { tooManyCodesPage } from '../device-flow/device-pages.ts';
import { timeForLibrary } from '../provider/portal-time.ts';
import type { OidcServing } from '../provider/serving.ts';
import { essentialContexts, idTokenClaimsRequest, STEP_UP } from '../sign-in/acr.ts';
import { acceptConfirmation, askToConfirm } from '../sign-in/confirm-application.ts';
import { refuseAccess } from '../sign-in/refuse-access.ts';
import { browserLifetimeMs, SELECT_ACCOUNT_PROMPT } from '../sign-in/sign-in-policy.ts';
import { errorPage } from './pages.ts';
import { OWN_HEADERS, PAGE_HEADERS, sendOidcPage } from './send-page.ts';

type SignedIn = NonNullable<ReturnType<typeof claimAppSignIn>>;

/**
 * Finishes the sign-in for an authorization request.
 * @returns the path where the browser continues; undefined if no one has signed in, the request has expired, or it
 * was started in another browser
 */
async function finishSignIn(
  deps: Deps,
  provider: Provider,
  { orgCode, ...login }: BrowserAppSignIn & { orgCode: string },
): Promise<string | undefined> {
  const signedIn = claimAppSignIn(deps, orgCode, login);
  const interaction = signedIn?.protocol === 'oidc' ? await provider.Interaction.find(login.id) : undefined;
  if (!signedIn || !interaction) return undefined;
  // Since the approval, the member may have been disabled, or the device paused or reported lost.
  if (!findActiveMember(deps.db, orgCode, signedIn.suid)) return undefined;
  const device = deviceRepo.findDevice(deps.db, orgCode, signedIn.zid);
  if (device?.status !== 'active') return undefined;
  interaction.result = resultOf(deps, interaction.params, signedIn, device);
  await interaction.persist();
  // Omits the origin, so the browser stays on the host name it used to reach the portal.
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
  return { login, [SELECT_ACCOUNT_PROMPT]: {} };
}

/** Error code defined in OpenID Connect Core Unmet Authentication Requirements 1.0 §2. */
const UNMET = {
  error: 'unmet_authentication_requirements',
  error_description: 'the device is new and must be confirmed by an older one before it provides the essential acr',
};

/**
 * Returns true if a request accepts this user. If the request identifies a user, by an `id_token_hint` or the claim
 * `sub`, it accepts only that user (OpenID Connect Core 1.0 §3.1.2.2, §5.5.1).
 */
function isExpected(params: Record<string, unknown>, { suid }: SignedIn): boolean {
  const { id_token_hint: hint } = params;
  // The library has already verified the token, so it only needs to be decoded.
  const hinted = typeof hint === 'string' ? decodeJwt(hint).sub : suid;
  return hinted === suid && (idTokenClaimsRequest(params)?.sub?.value ?? suid) === suid;
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
    remember: browserLifetimeMs(deps, orgCode, appId) > 0,
    ...(isStepUp && { acr: STEP_UP }),
  };
}

/**
 * Returns when the user last proved their presence, in milliseconds. Using a remembered browser proves nothing new,
 * so its creation time applies; with several remembered browsers for the device, the oldest applies.
 */
function authenticatedWhen({ db }: Deps, { orgCode, suid, zid, mode, authenticatedAt }: SignedIn): number {
  if (mode !== 'COOKIE') return authenticatedAt;
  const remembered = browserRepo.listBrowsers(db, orgCode, suid).filter((browser) => browser.zid === zid);
  return Math.min(authenticatedAt, ...remembered.map(({ createdAt }) => createdAt));
}

/**
 * Returns a sign-in's authentication methods (RFC 8176 §2): a device key, plus multi-factor if the user also proved
 * their presence at the browser. A remembered browser has none.
 */
function amrOf(mode: LoginMode, isStepUp: boolean): string[] {
  if (mode === 'COOKIE') return [];
  return isStepUp ? ['hwk', 'mfa'] : ['hwk'];
}

/**
 * Passes a request to the provider. Nothing must have read the request's body yet.
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
 * Rewrites a URL to the spelling that the library expects. A client whose issuer ends in a slash requests
 * `{issuer}//.well-known/…` and gets the same document (OpenID Connect Discovery 1.0 §4.3).
 */
const canonicalUrl = (url: string): string =>
  url
    .replace(/^\/+(\.well-known\/[^/?]+)\/*(?=\?|$)/, '/$1')
    // Clients that support only OAuth request this path (RFC 8414 §3).
    .replace(/^\/\.well-known\/oauth-authorization-server(?=\?|$)/, '/.well-known/openid-configuration');

/** Replaces the `Host` and forwarding headers, so that URLs in responses have the issuer's host and protocol. */
function pretendIssuerHost({ headers }: IncomingMessage, { host, protocol }: URL): void {
  headers.host = host;
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
  delete headers['x-forwarded-host'];
}

export interface OrganisationRoute {
  Params: { orgCode: string };
}

type OidcRequest = FastifyRequest<OrganisationRoute>;
type FormRequest = FastifyRequest<OrganisationRoute & { Body: URLSearchParams | undefined }>;

/** Returns the handlers for all organisations' providers. */
export function createOidcHandlers(deps: Deps) {
  async function requireProvider(orgCode: string) {
    const serving = await (await deps.oidcProviders()).providerOf(orgCode);
    if (!serving) throw new Refusal('ORG_CODE_NOT_FOUND', { status: 404 });
    return serving;
  }

  /**
   * Returns true if the organisation blocks the request's IP address. Members can't sign in or continue a session
   * from a blocked address.
   */
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
      if (isTooLong(request)) return sendOidcPage(reply, 413, errorPage(TOO_LONG));
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
     * Redirects a POST to the same request as a GET. When another site sends the browser here, only a GET includes
     * the cookies that identify the browser (decision 111).
     */
    async redirectToGet(path: string, { params: { orgCode }, body }: FormRequest, reply: FastifyReply) {
      await requireProvider(orgCode);
      const url = `${oidcPath(orgCode)}${path}?${body ?? ''}`;
      if (isTooLong({ url })) return sendOidcPage(reply, 413, errorPage(TOO_LONG));
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
      if (next === undefined) return sendOidcPage(reply, 400, errorPage(EXPIRED));
      return reply.headers(OWN_HEADERS).redirect(next, 303);
    },

    /** Asks the user whether to continue to an application that this browser hasn't used before. */
    async confirm(request: OidcRequest, reply: FastifyReply): Promise<FastifyReply> {
      if (isBlocked(request)) return sendBlocked(reply);
      const { orgCode } = request.params;
      const { provider } = await requireProvider(orgCode);
      const html = await askToConfirm(deps, provider, { orgCode, request, reply });
      return html === undefined ? sendOidcPage(reply, 400, errorPage(EXPIRED)) : sendOidcPage(reply, 200, html);
    },

    async acceptConfirmation(request: FormRequest, reply: FastifyReply): Promise<FastifyReply> {
      if (isBlocked(request)) return sendBlocked(reply);
      const { orgCode } = request.params;
      const { provider } = await requireProvider(orgCode);
      const next = await acceptConfirmation(deps, provider, { orgCode, request, reply, form: request.body });
      if (next === undefined) return sendOidcPage(reply, 400, errorPage(EXPIRED));
      return reply.headers(OWN_HEADERS).redirect(next, 303);
    },

    /** Shows that the user can't use the application. */
    async refuse(request: OidcRequest, reply: FastifyReply): Promise<FastifyReply> {
      const { orgCode } = request.params;
      const { provider } = await requireProvider(orgCode);
      const html = await refuseAccess(deps, provider, orgCode, request, reply);
      return html === undefined ? sendOidcPage(reply, 400, errorPage(EXPIRED)) : sendOidcPage(reply, 403, html);
    },
  };
}

const resumeParams = z.object({ id: text(64) });

/**
 * Returns true if the URL has the spelling that the checks below expect. The library itself ignores letter case and
 * everything after a `#`.
 */
const isEndpoint = ({ url }: OidcRequest): boolean =>
  /^\/oidc\/[^/]+\/+(?:(?:auth|device)\/[\w-]+|[a-z\d._/-]*)\/*$/.test(url.split('?', 1)[0] ?? '');

/**
 * Matches the authorization endpoint, the page for device codes, and their continuation paths. All other endpoints
 * are called by applications, from any address.
 */
const isSignIn = ({ url }: OidcRequest): boolean => /^\/oidc\/[^/]+\/(?:auth|device)(?:[/?]|$)/.test(url);

/** Matches the endpoints to which applications send their secrets. */
const authenticatesClient = ({ method, url }: OidcRequest): boolean =>
  method === 'POST' && /^\/oidc\/[^/]+\/(?:token|request|device-authorization)(?:[/?]|$)/.test(url);

/** Matches a device's request for a code. Its parameters are stored until a user enters the code. */
const startsDevice = ({ method, url }: OidcRequest): boolean =>
  method === 'POST' && /^\/oidc\/[^/]+\/device-authorization\/?(?:\?|$)/.test(url);

/** Matches submissions of the form for entering a device code. */
const entersCode = ({ method, url }: OidcRequest): boolean =>
  method === 'POST' && /^\/oidc\/[^/]+\/device\/?(?:\?|$)/.test(url);

function sendTooManyCodes(reply: FastifyReply, seconds: number): FastifyReply {
  reply.header('retry-after', seconds);
  return sendOidcPage(reply, 429, tooManyCodesPage(durationInWords(seconds)));
}

/**
 * Copies the headers that `CORS_ORIGINS` allows to the library's response, and hides the origin from the library,
 * which would allow less: only the application's own pages, without cookies.
 */
function hideOrigin({ raw }: OidcRequest, reply: FastifyReply): void {
  if (!reply.hasHeader('access-control-allow-origin')) return;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined && /^(?:access-control-|vary$)/.test(name)) reply.raw.setHeader(name, value);
  }
  delete raw.headers.origin;
}

const sendBlocked = (reply: FastifyReply): FastifyReply => sendOidcPage(reply, 403, errorPage(BLOCKED));

const BLOCKED = {
  error: 'access_denied',
  error_description: "your organisation doesn't allow sign-ins from your network",
};

const isTooLong = ({ url }: Pick<OidcRequest, 'url'>): boolean =>
  url.slice(`${url}?`.indexOf('?') + 1).length > LIMITS.authorizationRequestBytes;

const TOO_LONG = {
  error: 'invalid_request',
  error_description: `the request is too long: at most ${LIMITS.authorizationRequestBytes} characters`,
};

const EXPIRED = { error: 'expired', error_description: 'this sign-in has ended or was started in another browser' };
