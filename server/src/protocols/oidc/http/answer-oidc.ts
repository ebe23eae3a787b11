import { browserRepo, deviceRepo, organisationRepo } from '@orchestrate/db';
import { LIMITS, type LoginMode, text } from '@orchestrate/shared';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose/jwt/decode';
import type { InteractionResults, Provider } from 'oidc-provider';
import { z } from 'zod';
import { findActiveMember } from '#core/sign-in/active-member.ts';
import {
  type AppLoginOfBrowser,
  claimAppLogin,
  hasStepUp,
  reportsStepUp,
} from '#core/sign-in/app-logins/begin-app-login.ts';
import { browserOf } from '#core/sign-in/browser-id.ts';
import { countFailure, secondsUntilRoom } from '#core/sign-in/budgets.ts';
import type { Deps } from '#deps.ts';
import { isAllowedIp } from '#platform/http/callers/allowed-ip.ts';
import { networkOf } from '#platform/http/callers/network-of.ts';
import { requireAnnouncedSize } from '#platform/http/requests/bound-body.ts';
import { oidcPath } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';
import { inWords } from '#platform/times.ts';
import { limitTries } from '../clients/limit-attempts.ts';
import { tooManyCodesPage } from '../device-flow/device-pages.ts';
import { timeForLibrary } from '../provider/portal-time.ts';
import { createProviders } from '../provider/providers.ts';
import { askedOfIdToken, essentialContexts, STEP_UP } from '../sign-in/acr.ts';
import { acceptConfirmation, askToConfirm } from '../sign-in/confirm-application.ts';
import { refuseAccess } from '../sign-in/refuse-access.ts';
import { rememberedFor, SELECT_ACCOUNT } from '../sign-in/sign-in-policy.ts';
import { boundLibraryBody } from './large-bodies.ts';
import { errorPage } from './pages.ts';
import { OWN_HEADERS, sendPage } from './send-page.ts';
import { serveProvider } from './serve-provider.ts';

type SignedIn = NonNullable<ReturnType<typeof claimAppLogin>>;

/**
 * Continues an authorization request once somebody has signed in for it.
 * @returns the path that continues; undefined if nobody has signed in, it is too late, or another browser began
 */
async function finishSignIn(
  deps: Deps,
  provider: Provider,
  { orgCode, ...login }: AppLoginOfBrowser & { orgCode: string },
): Promise<string | undefined> {
  const signedIn = claimAppLogin(deps, orgCode, login);
  const interaction = signedIn?.protocol === 'oidc' ? await provider.Interaction.find(login.id) : undefined;
  if (!signedIn || !interaction) return undefined;
  // Since they approved, they may have been disabled, or their device paused or lost.
  if (!findActiveMember(deps.db, orgCode, signedIn.suid)) return undefined;
  const device = deviceRepo.findDevice(deps.db, orgCode, signedIn.zid);
  if (device?.status !== 'active') return undefined;
  interaction.result = resultOf(deps, interaction.params, signedIn, device);
  await interaction.persist();
  // Without the origin: the browser stays at whichever name it reached the portal by.
  return new URL(interaction.returnTo).pathname;
}

function resultOf(
  deps: Deps,
  params: Record<string, unknown>,
  signedIn: SignedIn,
  device: deviceRepo.DeviceRow,
): InteractionResults {
  if (!isExpected(params, signedIn)) {
    return { error: 'login_required', error_description: 'somebody else has signed in than the request names' };
  }
  const login = loginOf(deps, signedIn, device);
  if (login.acr !== STEP_UP && essentialContexts(params).length > 0) return UNMET;
  return { login, [SELECT_ACCOUNT]: {} };
}

/** OpenID Connect Core Unmet Authentication Requirements 1.0 §2. */
const UNMET = {
  error: 'unmet_authentication_requirements',
  error_description: 'the device is new: it has to be confirmed by an older one before it gives the essential acr',
};

/**
 * A request that names somebody by an `id_token_hint` or the claim `sub` lets in nobody else (OpenID Connect Core 1.0
 * §3.1.2.2, §5.5.1).
 */
function isExpected(params: Record<string, unknown>, { suid }: SignedIn): boolean {
  const { id_token_hint: hint } = params;
  // The library has checked whose token it is.
  const hinted = typeof hint === 'string' ? decodeJwt(hint).sub : suid;
  return hinted === suid && (askedOfIdToken(params)?.sub?.value ?? suid) === suid;
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
 * When the person was last known to be there. A remembered browser proves nothing about today; if there are several for
 * the same device, the oldest counts.
 */
function authenticatedWhen({ db }: Deps, { orgCode, suid, zid, mode, authenticatedAt }: SignedIn): number {
  if (mode !== 'COOKIE') return authenticatedAt;
  const remembered = browserRepo.listBrowsers(db, orgCode, suid).filter((browser) => browser.zid === zid);
  return Math.min(authenticatedAt, ...remembered.map(({ createdAt }) => createdAt));
}

/** RFC 8176 §2: the key of a device; several factors if the person also proved to be at the browser. */
function amrOf(mode: LoginMode, isStepUp: boolean): string[] {
  if (mode === 'COOKIE') return [];
  return isStepUp ? ['hwk', 'mfa'] : ['hwk'];
}

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
     * browser is known (decision 111).
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
