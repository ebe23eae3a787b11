import type { EventEmitter } from 'node:events';
import { oidcApplicationRepo, type oidcKeyRepo, type organisationRepo } from '@orchestrate/db';
import { DAY, HOUR, SECOND } from '@orchestrate/shared';
import type { Configuration, Grant, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import { createOutsideFetch } from '#platform/adapters/outside-fetch.ts';
import { readBodies } from '#platform/http/requests/read-bodies.ts';
import { oidcAddresses } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';
import { correctClientErrors } from '../clients/client-errors.ts';
import { clientStore } from '../clients/client-store.ts';
import { createClientAttempts } from '../clients/limit-attempts.ts';
import { withPublishedKeys } from '../clients/published-keys.ts';
import { cookieOf, deviceFlow, paceDevices } from '../device-flow/device-flow.ts';
import { nameBackchannelEndpoints } from '../http/discovery.ts';
import { errorPage } from '../http/pages.ts';
import { resumeLogout } from '../logout/resume-logout.ts';
import { installOverrides } from '../overrides/install-overrides.ts';
import { setSignInDetails, signInDetailsOf } from '../overrides/store-sign-in-details.ts';
import { beginSignIn } from '../sign-in/begin-sign-in.ts';
import { signInPolicy } from '../sign-in/sign-in-policy.ts';
import { accountOf, claimsByScope } from '../tokens/account.ts';
import { grantApis, requestsMoreOfApis, resourceIndicators } from '../tokens/api-resources.ts';
import { introspectInExternalTime, storeJwts } from '../tokens/jwt-access-tokens.ts';
import { grantLifetime, lifetimes, mayRefresh, neededLifetime } from '../tokens/lifetimes.ts';
import { FIXED_CONFIGURATION, isPublic } from './fixed-configuration.ts';
import { modelStore } from './model-store.ts';
import { inExternalTime, libraryNow, secondsOf } from './portal-time.ts';
import type { OidcServing } from './serving.ts';

/** Completes the headers of every answer, and keeps the body that was read for the journal. */
function completeResponses(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    // RFC 6749 §5.1, for caches that know only HTTP/1.0.
    if (ctx.response.get('cache-control') === 'no-store') ctx.set('pragma', 'no-cache');
    // An empty answer has no type: some clients reject one that they don't expect (RFC 7009 §2.2).
    if (ctx.body === '') ctx.remove('content-type');
    if (ctx.oidc?.body) readBodies.set(ctx.req, ctx.oidc.body);
    // Pages contain per-browser forms and personal data, so they must not be cached.
    if (ctx.response.is('html') && !ctx.response.get('cache-control')) ctx.set('cache-control', 'no-store');
    // Endpoints that pages can read ignore cookies, but for pages that send them (`credentials: 'include'`) browsers
    // require this header.
    if (ctx.headers.origin && ctx.response.get('access-control-allow-origin')) {
      ctx.set('access-control-allow-credentials', 'true');
    }
  });
}

/** The library's events for failures of endpoints that read a form. */
const ERROR_EVENTS = [
  'grant.error',
  'introspection.error',
  'revocation.error',
  'device_authorization.error',
  'pushed_authorization_request.error',
  'userinfo.error',
  'code_verification.error',
  'end_session_confirm.error',
] as const;

/** Answers 413 with the limit if a body without a length was too large (RFC 9110 §15.5.14): see `boundBodies`. */
function reportLargeBodies(provider: Provider): void {
  const refuse = (ctx: KoaContextWithOIDC, { cause }: Error) => {
    if (!(cause instanceof Refusal)) return;
    const refusal = { error: 'invalid_request', error_description: cause.message };
    ctx.status = 413;
    ctx.body = ctx.response.is('html') ? errorPage(refusal) : refusal;
  };
  for (const name of ERROR_EVENTS) (provider as EventEmitter).on(name, refuse);
}

/**
 * Returns the grant of an authorization request. Applications belong to the organisation, so users grant whatever they
 * request by signing in. There is one grant for each browser, application and device of the sign-in; its tokens end with
 * it.
 */
async function firstPartyGrant(
  { db }: Pick<Deps, 'db'>,
  orgCode: string,
  ctx: KoaContextWithOIDC,
): Promise<Grant | undefined> {
  const { oidc } = ctx;
  const { session, client, account, provider } = oidc;
  const application = client && oidcApplicationRepo.findOidcApplication(db, orgCode, client.clientId);
  if (!session || !account || !application) return undefined;
  if (oidc.result?.login) setSignInDetails(session, signInDetailsOf(oidc.result.login));
  const { zid } = signInDetailsOf(session);

  const existing = await findGrant(provider, session.grantIdFor(application.appId));
  const isUsable =
    existing !== undefined && existing.accountId === account.accountId && signInDetailsOf(existing).zid === zid;
  const grant = isUsable ? existing : new provider.Grant({ accountId: account.accountId, clientId: application.appId });
  if (!isUsable && zid !== undefined) setSignInDetails(grant, { zid });

  const granted = new Set(grant.getOIDCScope().split(' '));
  const isWider = [...oidc.requestParamOIDCScopes].some((scope) => !granted.has(scope));
  const requestsClaims = oidc.requestParamClaims.size > 0;
  const isSame = !isWider && !requestsClaims && !requestsMoreOfApis(ctx, grant);
  if (isUsable && isSame && grant.remainingTTL >= neededLifetime(application)) return grant;
  grant.addOIDCScope(oidc.requestParamOIDCScopes);
  grant.addOIDCClaims(oidc.requestParamClaims);
  grantApis(ctx, grant);
  grant.exp = libraryNow() + grantLifetime(application);
  await grant.save();
  return grant;
}

const findGrant = async (provider: Provider, id: string | undefined): Promise<Grant | undefined> =>
  id === undefined ? undefined : provider.Grant.find(id);

type Library = typeof import('oidc-provider');

/** Answers with a refusal of the portal, which the library takes for a defect, e.g. after a reset. */
function answerRefusal(ctx: KoaContextWithOIDC, { message }: Refusal): void {
  const problem = { error: 'invalid_request', error_description: message };
  ctx.status = 400;
  ctx.body = ctx.response.is('html') ? errorPage(problem) : problem;
}

/** How far ahead a client assertion can expire, in seconds. */
const ASSERTION_MAX_SECONDS = HOUR / SECOND;
/** Allowed difference between a client's clock and ours, in seconds. */
const TOLERANCE_SECONDS = 15;
/** RFC 7519 §5.1, and the draft that replaces RFC 7523. */
const ASSERTION_TYPE = /^(application\/)?(client-authentication\+)?jwt$/i;
/** Disables the library's time checks: it knows the machine's time only, while clients use the lab's. */
const ANY_TIME_SECONDS = (36_500 * DAY) / SECOND;

/**
 * Creates an organisation's OpenID provider. Loads oidc-provider, which is loaded only when it is needed (decision 018).
 */
export async function createProvider(
  deps: Deps,
  organisation: organisationRepo.OrganisationRow,
  keys: readonly oidcKeyRepo.OidcKeyRow[],
): Promise<OidcServing> {
  const library = await import('oidc-provider');
  const { orgCode, primaryAttrField } = organisation;
  const { issuer } = oidcAddresses(deps.publicUrl, orgCode);
  const currentContext = () => library.Provider.ctx;
  // Replaces the client secret, because a client can have several; it is never disclosed.
  const placeholder = deps.random.secret();
  const attempts = createClientAttempts(deps, orgCode, currentContext);
  const alreadyUsed = (model: string) => () =>
    model === 'ReplayDetection'
      ? new library.errors.InvalidRequest('this proof has already been used')
      : new library.errors.InvalidGrant('already used');
  const storeFor = (model: string) => modelStore(deps, orgCode, model, { currentContext, refuse: alreadyUsed(model) });
  /** RFC 7662 §2.2: a token is inactive once its member is disabled, deleted or excluded from the application. */
  const isOfCurrentUser = ({ accountId, clientId }: { accountId?: string; clientId?: string }): boolean =>
    accountId === undefined || accountOf(deps, organisation, accountId, clientId) !== undefined;
  const ttl = lifetimes(deps, orgCode);
  const cookie = cookieOf(orgCode);
  // Its requests go to URLs that administrators entered (decision 081).
  const outside = createOutsideFetch(deps.outsidePolicy, { maxBytes: 65_536, timeoutMs: 5_000 });

  const provider = new library.Provider(issuer, {
    ...FIXED_CONFIGURATION,
    features: {
      ...FIXED_CONFIGURATION.features,
      deviceFlow: deviceFlow(deps, organisation),
      // For clients whose clock differs from the lab's (RFC 9449 §8).
      dPoP: { enabled: true, nonceSecret: Buffer.from(deps.random.secret(), 'base64url') },
      // RFC 7662 §2.1: any client can introspect the access tokens it receives, except that a public client can
      // introspect only its own. Refresh tokens are sent to no service, so only their client can introspect them.
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) =>
          (token.clientId === client.clientId || (token.kind !== 'RefreshToken' && !isPublic(client))) &&
          isOfCurrentUser(token),
      },
      resourceIndicators: resourceIndicators(deps, orgCode, library),
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => {
          if (token.clientId === client.clientId) return true;
          // RFC 7009 §2.1: the client learns that the token stays valid.
          throw new library.errors.CustomOIDCProviderError('invalid_grant', 'the token was issued to another client');
        },
      },
    },
    adapter: (model) =>
      model === 'Client'
        ? attempts.noteClients(withPublishedKeys(clientStore(deps, orgCode, placeholder), outside, currentContext))
        : storeFor(model),
    jwks: { keys: keys.map(({ privateJwk, kid, alg }) => ({ ...privateJwk, kid, alg, use: 'sig' })) },
    clockTolerance: deps.clock.tellsMachineTime() ? TOLERANCE_SECONDS : ANY_TIME_SECONDS,
    assertJwtClientAuthClaimsAndHeader: checkAssertion(deps, library),
    claims: { ...ownScopes(deps, orgCode), ...claimsByScope(primaryAttrField) },
    cookies: { names: cookieNames(deps.config.cookiePrefix), long: cookie, short: cookie },
    discovery: {
      ...FIXED_CONFIGURATION.discovery,
      // Served by the portal: the library would store clients of its own (decision 170).
      registration_endpoint: `${issuer}/reg`,
    },
    // RFC 9068 §2.2: a service client is the subject of its own tokens, in introspection too.
    extraTokenClaims: (_ctx, { kind, clientId }) => (kind === 'ClientCredentials' ? { sub: clientId } : undefined),
    fetch: fetchForLibrary(outside),
    formats: {
      customizers: {
        jwt(_ctx, token, { payload }) {
          // The stored token repeats it: see `storeJwts`.
          token.iat = Number(payload.iat);
          Object.assign(payload, inExternalTime(deps.clock, payload));
        },
      },
    },
    findAccount: (_ctx, suid, token) => accountOf(deps, organisation, suid, token?.clientId),
    interactions: {
      policy: signInPolicy(library, deps, orgCode),
      url: (ctx, interaction) => beginSignIn(deps, orgCode, ctx, interaction),
    },
    issueRefreshToken: async (_ctx, { clientId }) => mayRefresh(deps, orgCode, clientId),
    loadExistingGrant: (ctx) => firstPartyGrant(deps, orgCode, ctx),
    ttl,
  });

  // `serveProvider` sets the forwarded headers that it then reads: its URLs are the portal's, with or without a proxy.
  provider.proxy = true;
  // Errors that occur once the answer has started; Koa would print them.
  (provider as EventEmitter).on('error', (reason) => deps.log.error({ err: reason }, 'defect'));
  provider.on('server_error', (ctx, reason) => {
    if (reason instanceof Refusal) answerRefusal(ctx, reason);
    else deps.log.error({ err: reason }, 'defect');
  });
  storeJwts(provider, storeFor);
  reportLargeBodies(provider);
  paceDevices(deps, orgCode, provider, library);

  // Each sees the answer as the ones below it have changed it.
  completeResponses(provider);
  attempts.countFailures(provider);
  nameBackchannelEndpoints(deps, provider);
  correctClientErrors(provider);
  resumeLogout(deps, orgCode, provider);
  introspectInExternalTime(deps, provider);

  installOverrides(provider, { deps, orgCode, keys, ttl, attempts, currentContext });
  return { provider, serve: provider.callback(), issuer: new URL(issuer), limitAttempts: attempts.limit };
}

/** Returns the check of a client assertion's claims and header (RFC 7523 §3). */
function checkAssertion(
  { clock }: Pick<Deps, 'clock'>,
  { errors }: Pick<Library, 'errors'>,
): NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']> {
  return (ctx: KoaContextWithOIDC, { aud, exp, iat, nbf }, { typ }) => {
    const now = secondsOf(clock.toExternalTime());
    const refuse = (why: string) => new errors.InvalidClientAuth(`the client_assertion ${why}`);
    // A JWT that the client signed for another purpose, such as a DPoP proof, is not an assertion (RFC 8725 §3.12).
    if (typ !== undefined && !ASSERTION_TYPE.test(String(typ))) throw refuse('has the type of something else');
    // Another provider in the audience could use it here.
    const ours = ctx.oidc.clientJwtAuthExpectedAudience();
    if (![aud].flat().every((one) => ours.has(String(one)))) throw refuse('is for another provider too');
    if (Number(exp) <= now - TOLERANCE_SECONDS) throw refuse('has expired');
    // FAPI 2.0 Security Profile §5.3.2.1.
    for (const from of [iat, nbf]) if (Number(from ?? now) > now + TOLERANCE_SECONDS) throw refuse('is not valid yet');
    // Its id is stored until it expires, so that it is used once.
    if (Number(exp) > now + ASSERTION_MAX_SECONDS) throw refuse('must expire within an hour');
  };
}

/** The library's own names, with the prefix that separates portals on one host. */
const cookieNames = (prefix: string) => ({
  session: `${prefix}_session`,
  interaction: `${prefix}_interaction`,
  resume: `${prefix}_interaction_resume`,
});

/** Returns `fetch` with the signature that the library calls. */
function fetchForLibrary(outside: ReturnType<typeof createOutsideFetch>): NonNullable<Configuration['fetch']> {
  return (url, { method = 'GET', headers, body, signal } = {}) =>
    outside(String(url), {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body,
      signal: signal ?? undefined,
    });
}

/** Returns the scopes of the applications' own claims; the library must know them. */
const ownScopes = ({ db }: Deps, orgCode: string): Record<string, string[]> =>
  Object.fromEntries(oidcApplicationRepo.listClaimScopes(db, orgCode).map((scope) => [scope, []]));
