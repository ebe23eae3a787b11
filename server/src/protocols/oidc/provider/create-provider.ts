import type { EventEmitter } from 'node:events';
import { oidcApplicationRepo, type oidcKeyRepo, type organisationRepo } from '@orchestrate/db';
import { type Claims, DAY, HOUR, SECOND } from '@orchestrate/shared';
import type { AccessToken, ClientCredentials, Configuration, Grant, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import { createOutsideFetch } from '#platform/adapters/outside-fetch.ts';
import { parsedBodies } from '#platform/http/requests/read-bodies.ts';
import { oidcAddresses } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';
import { correctClientErrors } from '../clients/client-errors.ts';
import { clientStore } from '../clients/client-store.ts';
import { createClientAttempts } from '../clients/limit-attempts.ts';
import { withPublishedKeys } from '../clients/published-keys.ts';
import { cookieOptions, deviceFlow, paceDevices } from '../device-flow/device-flow.ts';
import { advertiseBackchannelEndpoints } from '../http/discovery.ts';
import { NEEDS_NONCE } from '../http/oauth-error.ts';
import { errorPage } from '../http/pages.ts';
import { explainErrors, rememberRefusedRedirects, reportLargeBodies } from '../http/report-errors.ts';
import { sendLibraryPage } from '../http/send-page.ts';
import { resumeLogout } from '../logout/resume-logout.ts';
import { addLabFields } from '../overrides/apply-lab-to-tokens.ts';
import { installOverrides } from '../overrides/install-overrides.ts';
import { setSignInDetails, signInDetailsOf } from '../overrides/store-sign-in-details.ts';
import { beginSignIn } from '../sign-in/begin-sign-in.ts';
import { signInPolicy } from '../sign-in/sign-in-policy.ts';
import { accountOf, claimsByScope } from '../tokens/account.ts';
import { grantApiScopes, requestsMoreApiScopes, resourceIndicators } from '../tokens/api-resources.ts';
import { accessTokenClaims } from '../tokens/app-claims.ts';
import { issueTokens } from '../tokens/issue-tokens.ts';
import { completeIntrospection, findingJwts, storeJwts } from '../tokens/jwt-access-tokens.ts';
import {
  grantLifetime,
  LAB_TOKENS,
  lifetimes,
  mayRefresh,
  neededLifetime,
  rotatesRefreshTokens,
} from '../tokens/lifetimes.ts';
import { signerOf } from '../tokens/tamper-token.ts';
import { actorOf, exchangeTokens } from '../tokens/token-exchange.ts';
import { FIXED_CONFIGURATION, isPublic } from './fixed-configuration.ts';
import { modelStore } from './model-store.ts';
import { claimsInExternalTime, libraryTimeNow, secondsOf } from './portal-time.ts';
import type { OidcServing } from './serving.ts';

/** Completes the headers of every response, and retains the parsed request body for the journal. */
function completeResponses(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    // The library responds with plain text if it has no endpoint with this path or method.
    if (ctx.status === 404 && !ctx.body) {
      const description = `This issuer has no such endpoint. ${provider.issuer}/.well-known/openid-configuration lists its endpoints.`;
      ctx.status = 404;
      ctx.body = { error: 'invalid_request', error_description: description };
    }
    // RFC 6749 §5.1, for caches that support only HTTP/1.0.
    if (ctx.response.get('cache-control') === 'no-store') ctx.set('pragma', 'no-cache');
    // An empty response must not have a content type: some clients reject types they don't expect (RFC 7009 §2.2).
    if (ctx.body === '') ctx.remove('content-type');
    if (ctx.oidc?.body) parsedBodies.set(ctx.req, ctx.oidc.body);
    // Pages contain per-browser forms and personal data, so they must not be cached.
    if (ctx.response.is('html') && !ctx.response.get('cache-control')) ctx.set('cache-control', 'no-store');
    // Endpoints that web pages can read ignore cookies, but browsers require this header if a page sends cookies
    // (`credentials: 'include'`).
    if (ctx.headers.origin && ctx.response.get('access-control-allow-origin')) {
      ctx.set('access-control-allow-credentials', 'true');
    }
  });
}

/**
 * Returns the grant for an authorization request. Applications belong to the organisation, so users grant whatever an
 * application requests by signing in. Each combination of browser, application and sign-in device has one grant, and
 * its tokens end with it.
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
  const isSame = !isWider && !requestsClaims && !requestsMoreApiScopes(ctx, grant);
  if (isUsable && isSame && grant.remainingTTL >= neededLifetime(application)) return grant;
  grant.addOIDCScope(oidc.requestParamOIDCScopes);
  grant.addOIDCClaims(oidc.requestParamClaims);
  grantApiScopes(ctx, grant);
  grant.exp = libraryTimeNow() + grantLifetime(application);
  await grant.save();
  return grant;
}

const findGrant = async (provider: Provider, id: string | undefined): Promise<Grant | undefined> =>
  id === undefined ? undefined : provider.Grant.find(id);

type Library = typeof import('oidc-provider');

/** Answers a refusal that the portal raised, e.g. after a reset, which the library would treat as an internal error. */
function answerRefusal(ctx: KoaContextWithOIDC, { message }: Refusal): void {
  const problem = { error: 'invalid_request', error_description: message };
  ctx.status = 400;
  if (ctx.response.is('html')) sendLibraryPage(ctx, errorPage(problem));
  else ctx.body = problem;
}

/** Longest remaining lifetime of a client assertion, in seconds. */
const ASSERTION_MAX_SECONDS = HOUR / SECOND;
/** Allowed difference between a client's clock and ours, in seconds. */
const TOLERANCE_SECONDS = 15;
/** Allowed types of a client assertion: RFC 7519 §5.1, and the draft that replaces RFC 7523. */
const ASSERTION_TYPE = /^(application\/)?(client-authentication\+)?jwt$/i;
/**
 * Tolerance that disables the library's time checks: the library uses the machine's time, but clients use the lab's.
 */
const ANY_TIME_SECONDS = (36_500 * DAY) / SECOND;

/** Creates an organisation's OpenID provider. Loads oidc-provider on first use (decision 018). */
export async function createProvider(
  deps: Deps,
  organisation: organisationRepo.OrganisationRow,
  keys: readonly oidcKeyRepo.OidcKeyRow[],
): Promise<OidcServing> {
  const library = await import('oidc-provider');
  const { orgCode, primaryAttrField } = organisation;
  const { issuer } = oidcAddresses(deps.publicUrl, orgCode);
  const currentContext = () => library.Provider.ctx;
  // Stands in for the client secret, because a client can have several secrets. Never disclosed.
  const placeholder = deps.random.secret();
  const attempts = createClientAttempts(deps, orgCode, currentContext);
  const alreadyUsed = (model: string) => () =>
    model === 'ReplayDetection'
      ? new library.errors.InvalidRequest('this proof has already been used')
      : new library.errors.InvalidGrant('already used');
  const storeFor = (model: string) => modelStore(deps, orgCode, model, { currentContext, refuse: alreadyUsed(model) });
  /** RFC 7662 §2.2: a token is inactive once its member is disabled, deleted or denied access to the application. */
  const isOfCurrentUser = ({ accountId, clientId }: { accountId?: string; clientId?: string }): boolean =>
    accountId === undefined || accountOf(deps, organisation, accountId, clientId) !== undefined;
  const ttl = lifetimes(deps, orgCode);
  const cookie = cookieOptions(orgCode);
  // The library fetches URLs that administrators entered, so use the restricted `fetch` (decision 081).
  const outside = createOutsideFetch(deps.outsidePolicy, { maxBytes: 65_536, timeoutMs: 5_000 });

  const provider = new library.Provider(issuer, {
    ...FIXED_CONFIGURATION,
    features: {
      ...FIXED_CONFIGURATION.features,
      deviceFlow: deviceFlow(deps, organisation),
      // Nonces replace timestamps for clients whose clock differs from the lab's (RFC 9449 §8).
      dPoP: {
        enabled: true,
        nonceSecret: Buffer.from(deps.random.secret(), 'base64url'),
        requireNonce: ({ req }) => NEEDS_NONCE.has(req),
      },
      // RFC 7662 §2.1: any client can introspect the access tokens it receives, but a public client only its own.
      // Refresh tokens are never sent to a service, so only their own client can introspect them.
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
          // RFC 7009 §2.1: the error tells the client that the token stays valid.
          throw new library.errors.CustomOIDCProviderError('invalid_grant', 'the token was issued to another client');
        },
      },
    },
    adapter: (model) =>
      model === 'Client'
        ? attempts.noteClients(withPublishedKeys(clientStore(deps, orgCode, placeholder), outside, currentContext))
        : model === 'AccessToken'
          ? findingJwts(storeFor(model))
          : storeFor(model),
    jwks: { keys: keys.map(({ privateJwk, kid, alg }) => ({ ...privateJwk, kid, alg, use: 'sig' })) },
    clockTolerance: deps.clock.tellsMachineTime() ? TOLERANCE_SECONDS : ANY_TIME_SECONDS,
    assertJwtClientAuthClaimsAndHeader: checkAssertion(deps, library),
    claims: { ...ownScopes(deps, orgCode), ...claimsByScope(primaryAttrField) },
    cookies: { names: cookieNames(deps.config.cookiePrefix), long: cookie, short: cookie },
    discovery: {
      ...FIXED_CONFIGURATION.discovery,
      // The portal serves registration itself, because the library would keep its own client records (decision 170).
      registration_endpoint: `${issuer}/reg`,
    },
    // RFC 9068 §2.2: a service client is the subject of its own tokens, including in introspection.
    extraTokenClaims: (ctx: KoaContextWithOIDC | undefined, token) => ({
      ...(token.kind === 'ClientCredentials' && { sub: token.clientId }),
      ...customClaims(deps, orgCode, ctx, token),
      ...actorOf(ctx),
      ...LAB_TOKENS.get(token)?.claims,
    }),
    fetch: fetchForLibrary(outside),
    formats: {
      customizers: {
        jwt(_ctx, token, { payload }) {
          // The stored token repeats this claim: see `storeJwts`.
          token.iat = Number(payload.iat);
          // Without an API, the token is for the client's own services (RFC 9068 §3): see `issueJwtAccessTokens`.
          payload.aud ??= payload.client_id;
          Object.assign(payload, claimsInExternalTime(deps.clock, payload));
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
    rotateRefreshToken: ({ oidc }) => rotatesRefreshTokens(deps, orgCode, oidc.client?.clientId ?? ''),
    ttl,
  });

  // The library then reads the forwarded headers that `serveProvider` sets, so its URLs are the portal's with or
  // without a proxy.
  provider.proxy = true;
  // Logs errors that occur after the response has started. Koa would print them.
  (provider as EventEmitter).on('error', (reason) => deps.log.error({ err: reason }, 'defect'));
  provider.on('server_error', (ctx, reason) => {
    if (reason instanceof Refusal) answerRefusal(ctx, reason);
    else deps.log.error({ err: reason }, 'defect');
  });
  const storeJwt = storeJwts(provider, storeFor);
  const sign = signerOf(orgCode, keys);
  reportLargeBodies(provider);
  rememberRefusedRedirects(deps, orgCode, provider);
  paceDevices(deps, orgCode, provider, library);

  // Each middleware sees the response as changed by the middleware registered below it.
  explainErrors(deps, orgCode, provider);
  completeResponses(provider);
  attempts.countFailures(provider);
  advertiseBackchannelEndpoints(deps, provider);
  correctClientErrors(provider);
  resumeLogout(deps, orgCode, provider);
  completeIntrospection(deps, provider);
  addLabFields(deps, orgCode, provider);

  installOverrides(provider, { deps, orgCode, sign, ttl, attempts, currentContext });
  const ofMember = (suid: string, appId: string) => accountOf(deps, organisation, suid, appId);
  exchangeTokens(deps, orgCode, provider, library, (suid, appId) => ofMember(suid, appId) !== undefined);
  const nextSignInId = () => deps.random.secret();
  return {
    provider,
    serve: provider.callback(),
    issuer: new URL(issuer),
    limitAttempts: attempts.limit,
    issueTokens: (request) => issueTokens({ provider, accountOf: ofMember, storeJwt, sign, nextSignInId }, request),
  };
}

/** Returns the claims that the application's settings add to an access token. */
function customClaims(
  { db }: Pick<Deps, 'db'>,
  orgCode: string,
  ctx: KoaContextWithOIDC | undefined,
  token: AccessToken | ClientCredentials,
): Claims {
  const application = oidcApplicationRepo.findOidcApplication(db, orgCode, token.clientId ?? '');
  if (!application) return {};
  const { AuthorizationCode, DeviceCode, RefreshToken } = ctx?.oidc.entities ?? {};
  // A token for an API has only the scopes of this API, so the other scopes of the sign-in are added.
  const ofSignIn = ctx?.oidc.params?.scope
    ? ctx.oidc.requestParamScopes
    : (AuthorizationCode ?? DeviceCode ?? RefreshToken)?.scopes;
  const scopes = [...token.scopes, ...(ofSignIn ?? LAB_TOKENS.get(token)?.scopes ?? [])];
  return accessTokenClaims(db, application, 'accountId' in token ? token.accountId : undefined, scopes);
}

/** Returns a function that checks a client assertion's claims and header (RFC 7523 §3). */
function checkAssertion(
  { clock }: Pick<Deps, 'clock'>,
  { errors }: Pick<Library, 'errors'>,
): NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']> {
  return (ctx: KoaContextWithOIDC, { aud, exp, iat, nbf }, { typ }) => {
    const now = secondsOf(clock.toExternalTime());
    const refuse = (why: string) => new errors.InvalidClientAuth(`the client_assertion ${why}`);
    // A JWT that the client signed for another purpose, such as a DPoP proof, is not a client assertion (RFC 8725
    // §3.12).
    if (typ !== undefined && !ASSERTION_TYPE.test(String(typ)))
      throw refuse('has an unsupported typ; use JWT or client-authentication+jwt');
    // Reject an audience that includes another provider, because that provider could use the assertion here.
    const ours = ctx.oidc.clientJwtAuthExpectedAudience();
    if (![aud].flat().every((one) => ours.has(String(one))))
      throw refuse('must not have another provider in its audience');
    if (Number(exp) <= now - TOLERANCE_SECONDS) throw refuse('has expired');
    // FAPI 2.0 Security Profile §5.3.2.1 requires a tolerance for small clock differences.
    for (const from of [iat, nbf]) if (Number(from ?? now) > now + TOLERANCE_SECONDS) throw refuse('is not valid yet');
    // The assertion's ID is stored until the assertion expires, so that the assertion can be used only once.
    if (Number(exp) > now + ASSERTION_MAX_SECONDS) throw refuse('must expire within an hour');
  };
}

/** Returns the library's default cookie names, with the prefix that separates portals on one host. */
const cookieNames = (prefix: string) => ({
  session: `${prefix}_session`,
  interaction: `${prefix}_interaction`,
  resume: `${prefix}_interaction_resume`,
});

/** Adapts the outside `fetch` to the signature that the library calls. */
function fetchForLibrary(outside: ReturnType<typeof createOutsideFetch>): NonNullable<Configuration['fetch']> {
  return (url, { method = 'GET', headers, body, signal } = {}) =>
    outside(String(url), {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body,
      signal: signal ?? undefined,
    });
}

/** Returns the scopes for claims that applications define. The library accepts only scopes it knows. */
const ownScopes = ({ db }: Deps, orgCode: string): Record<string, string[]> =>
  Object.fromEntries(oidcApplicationRepo.listClaimScopes(db, orgCode).map((scope) => [scope, []]));
