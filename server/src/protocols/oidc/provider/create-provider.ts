import type { IncomingMessage } from 'node:http';
import { oidcApplicationRepo, type oidcKeyRepo, type organisationRepo } from '@orchestrate/db';
import { DAY, HOUR, SECOND } from '@orchestrate/shared';
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import { createOutsideFetch } from '#platform/adapters/outside-fetch.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import { readBodies } from '#platform/http/requests/read-bodies.ts';
import { oidcAddresses } from '#platform/own-addresses.ts';
import { clientStore, isRedirectOf, isSecretOf } from '../clients/client-store.ts';
import { withoutEmptySecret } from '../clients/empty-secrets.ts';
import { countWrongClients, mustWait, noteClients } from '../clients/limit-attempts.ts';
import { withPublishedKeys } from '../clients/published-keys.ts';
import { nameUnauthorizedClients } from '../clients/unauthorized-clients.ts';
import { cookieOf, deviceFlow, paceDevices } from '../device-flow/device-flow.ts';
import { nameBackChannel } from '../http/back-channel.ts';
import { nameLargeBodies } from '../http/large-bodies.ts';
import { resumeLogout } from '../logout/resume-logout.ts';
import { applyLabToTokens, inToldTime } from '../overrides/apply-lab-to-tokens.ts';
import { type Body, changeBodies } from '../overrides/rewrite-bodies.ts';
import { beginSignIn } from '../sign-in/begin-sign-in.ts';
import { firstPartyGrant, rememberDevices } from '../sign-in/first-party-grant.ts';
import { signInPolicy } from '../sign-in/sign-in-policy.ts';
import { isTryRedirect } from '../test-sign-in/try-address.ts';
import { accountOf, claimsByScope } from '../tokens/account.ts';
import { resourceIndicators } from '../tokens/api-resources.ts';
import { tellAppClaims } from '../tokens/app-claims.ts';
import { allowNoLifetime, lifetimes, mayRefresh } from '../tokens/lifetimes.ts';
import { FIXED_CONFIGURATION, isPublic } from './fixed-configuration.ts';
import { deriveSuccessors, modelStore } from './model-store.ts';
import { libraryNow, secondsOf } from './portal-time.ts';

/** Where the library refuses JWTs, which it keeps nowhere. */
const ABOUT_TOKENS: ReadonlySet<string> = new Set(['/token/introspection', '/token/revocation']);

/**
 * Keeps access tokens that are JWTs as those that are not, by a name made of the token. So introspection tells of them
 * (RFC 7662), they end with what they come from, and can be revoked (RFC 7009). Call it before the provider's first
 * request.
 */
function keepJwts({ AccessToken, ClientCredentials }: Provider): void {
  for (const Model of [AccessToken, ClientCredentials]) {
    const { save } = Model.prototype;
    Model.prototype.save = async function saveAndKeep() {
      this.iat ??= libraryNow();
      const value = await save.call(this);
      if (isJwt(value)) {
        const fields = Model.IN_PAYLOAD.map((name) => [name, Reflect.get(this, name)]);
        await this.adapter.upsert(nameOf(value), Object.fromEntries(fields), this.remainingTTL);
      }
      return value;
    };
  }
}

/** A request about a JWT, as one about what is kept of it. */
const withKeptJwt = ({ path }: KoaContextWithOIDC, body: Body): Body =>
  ABOUT_TOKENS.has(path) && isJwt(body?.token) ? { ...body, token: nameOf(body.token) } : body;

/** Tokens that the library makes up have no point. */
const isJwt = (token: unknown): token is string => typeof token === 'string' && token.includes('.');
const nameOf = (token: string): string => `jwt:${hashSecret(token)}`;

/**
 * Ties each ID token to the access token beside it by `at_hash` (OpenID Connect Core §3.1.3.6), which many clients
 * check. The library does so only for tokens that come through the browser. ID tokens of a refresh have no nonce. Call it before the provider's first request.
 */
function tieTokens({ AccessToken, IdToken }: Provider): void {
  const values = new WeakMap<object, string>();
  const { save } = AccessToken.prototype;
  AccessToken.prototype.save = async function saveAndRemember() {
    const value = await save.call(this);
    values.set(this, value);
    return value;
  };
  const { issue } = IdToken.prototype;
  IdToken.prototype.issue = async function issueTied(context) {
    const { AccessToken: token } = this.ctx?.oidc.entities ?? {};
    const value = token && values.get(token);
    // The library makes the hash, by the algorithm of the signature.
    if (context.use === 'idtoken' && value !== undefined) this.set('at_hash', value);
    // OpenID Connect Core 1.0 §12.2: the nonce belongs to the authorization request.
    if (context.use === 'idtoken' && this.ctx?.oidc.entities.RotatedRefreshToken) this.set('nonce', undefined);
    return issue.call(this, context);
  };
}

/**
 * `offline_access` is granted without `prompt=consent` too: applications are the organisation's own and nobody is asked
 * for consent (OpenID Connect Core 1.0 §11, "unless other conditions … are in place"). The library requires the word,
 * so it is understood in every request, whichever way it comes.
 */
function implyConsent({ OIDCContext }: Provider): void {
  const { prototype } = OIDCContext;
  Object.defineProperty(prototype, 'prompts', {
    get(this: InstanceType<Provider['OIDCContext']>) {
      const prompts = new Set(wordsOf(this.params?.prompt));
      if (wordsOf(this.params?.scope).includes('offline_access') && !prompts.has('none')) prompts.add('consent');
      return prompts;
    },
  });
}

const wordsOf = (text: unknown): string[] => (typeof text === 'string' ? text.split(' ').filter(Boolean) : []);

/** How far ahead a client may sign for itself. */
const ASSERTION_MAX_SECONDS = HOUR / SECOND;
/** How wrong a client's clock may be. */
const TOLERANCE_SECONDS = 15;
/** Of RFC 7519 §5.1, and of the drafted successor of RFC 7523. */
const ASSERTION_TYPE = /^(application\/)?(client-authentication\+)?jwt$/i;
/** For a library that knows the machine's time alone, while clients are told the lab's. */
const ANY_TIME_SECONDS = (36_500 * DAY) / SECOND;

/**
 * An organisation as an OpenID provider. Loads oidc-provider, which is loaded only when it is needed (decision 018).
 */
export async function makeProvider(
  deps: Deps,
  organisation: organisationRepo.OrganisationRow,
  keys: readonly oidcKeyRepo.OidcKeyRow[],
): Promise<Provider> {
  const library = await import('oidc-provider');
  const { orgCode, primaryAttrField } = organisation;
  // Stands in for the client secret, of which there are several; it is never disclosed.
  const placeholder = deps.random.secret();
  const alreadyUsed = (model: string) => () =>
    model === 'ReplayDetection'
      ? new library.errors.InvalidRequest('this proof has already been used')
      : new library.errors.InvalidGrant('already used');
  /** RFC 7662 §2.2: not of a person who is disabled, deleted, or may not use the application any more. */
  const isStillSomebodys = ({ accountId, clientId }: { accountId?: string; clientId?: string }): boolean =>
    accountId === undefined || accountOf(deps, organisation, accountId, clientId) !== undefined;
  const ttl = lifetimes(deps, orgCode);
  const cookie = cookieOf(orgCode);
  // What the portal asks of applications goes to addresses that people gave us (decision 081).
  const outside = createOutsideFetch(deps.outsidePolicy, { maxBytes: 65_536, timeoutMs: 5_000 });

  const provider = new library.Provider(oidcAddresses(deps.publicUrl, orgCode).issuer, {
    ...FIXED_CONFIGURATION,
    features: {
      ...FIXED_CONFIGURATION.features,
      deviceFlow: deviceFlow(deps, organisation),
      // For clients whose clock is wrong, or the lab's (RFC 9449 §8).
      dPoP: { enabled: true, nonceSecret: Buffer.from(deps.random.secret(), 'base64url') },
      // RFC 7662 §2.1: the organisation's services may ask about the access tokens that are brought to them; about
      // refresh tokens, which are brought to no service, only their client may, and a client without a secret only
      // about its own.
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) =>
          (token.clientId === client.clientId || (token.kind !== 'RefreshToken' && !isPublic(client))) &&
          isStillSomebodys(token),
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
        ? trackClients(library, withPublishedKeys(library, clientStore(deps, orgCode, placeholder), outside))
        : modelStore(deps, orgCode, model, {
            request: () => library.Provider.ctx,
            refuse: alreadyUsed(model),
          }),
    jwks: { keys: keys.map(({ privateJwk, kid, alg }) => ({ ...privateJwk, kid, alg, use: 'sig' })) },
    clockTolerance: deps.clock.tellsMachineTime() ? TOLERANCE_SECONDS : ANY_TIME_SECONDS,
    assertJwtClientAuthClaimsAndHeader: (ctx, { aud, exp, iat, nbf }, { typ }) => {
      const told = secondsOf(deps.clock.told());
      const refuse = (why: string) => new library.errors.InvalidClientAuth(`the client_assertion ${why}`);
      // What a client has signed for something else, such as a DPoP proof, does not sign it in (RFC 8725 §3.12).
      if (typ !== undefined && !ASSERTION_TYPE.test(String(typ))) throw refuse('has the type of something else');
      // Another provider that it is addressed to as well could use it here.
      const ours = ctx.oidc.clientJwtAuthExpectedAudience();
      if (![aud].flat().every((one) => ours.has(String(one)))) throw refuse('is for another provider too');
      if (Number(exp) <= told - TOLERANCE_SECONDS) throw refuse('has expired');
      // FAPI 2.0 Security Profile §5.3.2.1: neither valid nor made in the future.
      for (const from of [iat, nbf])
        if (Number(from ?? told) > told + TOLERANCE_SECONDS) throw refuse('is not valid yet');
      // Each is remembered until it ends, so that it is used once.
      if (Number(exp) > told + ASSERTION_MAX_SECONDS) throw refuse('must expire within an hour');
    },
    claims: { ...ownScopes(deps, orgCode), ...claimsByScope(primaryAttrField) },
    cookies: { names: cookieNames(deps.config.cookiePrefix), long: cookie, short: cookie },
    discovery: {
      ...FIXED_CONFIGURATION.discovery,
      // Served beside the library, which would keep clients of its own (decision 170).
      registration_endpoint: `${oidcAddresses(deps.publicUrl, orgCode).issuer}/reg`,
    },
    // RFC 9068 §2.2: a machine is the subject of its own tokens, and introspection says so too.
    extraTokenClaims: (_ctx, { kind, clientId }) => (kind === 'ClientCredentials' ? { sub: clientId } : undefined),
    fetch: fetchForLibrary(outside),
    formats: {
      customizers: {
        jwt: (_ctx, _token, { payload }) => void Object.assign(payload, inToldTime(deps.clock, payload)),
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

  provider.use(async (ctx, next) => {
    await next();
    // No cookie counts at what pages may read, but some send all (`credentials: 'include'`), and then browsers want
    // this too.
    if (ctx.headers.origin && ctx.response.get('access-control-allow-origin')) {
      ctx.set('access-control-allow-credentials', 'true');
    }
  });
  provider.use(async (ctx, next) => {
    await next();
    // Pages have forms of one browser, and names of people.
    if (ctx.response.is('html') && !ctx.response.get('cache-control')) ctx.set('cache-control', 'no-store');
  });
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.body) readBodies.set(ctx.req, ctx.oidc.body);
  });
  provider.use(async (ctx, next) => {
    await next();
    // RFC 6749 §5.1, for caches that know only HTTP/1.0.
    if (ctx.response.get('cache-control') === 'no-store') ctx.set('pragma', 'no-cache');
    // An empty answer has no type: some clients refuse one that they don't expect (RFC 7009 §2.2).
    if (ctx.body === '') ctx.remove('content-type');
  });
  // Whether behind a proxy or not, its addresses are the portal's: see `serveProvider`.
  provider.proxy = true;
  // Errors that occur once an answer is on its way; Koa would print them.
  provider.onerror = (reason) => deps.log.error({ err: reason }, 'defect');
  provider.on('server_error', (_ctx, reason) => deps.log.error({ err: reason }, 'defect'));
  changeBodies(provider, (ctx, body) => withKeptJwt(ctx, withoutEmptySecret(deps, orgCode, ctx, body)));
  keepJwts(provider);
  countWrongClients(deps, orgCode, provider);
  implyConsent(provider);
  rememberDevices(provider);
  allowNoLifetime(provider, ttl);
  nameBackChannel(deps, provider);
  nameLargeBodies(provider);
  nameUnauthorizedClients(provider);
  deriveSuccessors(deps, orgCode, provider, () => library.Provider.ctx);
  resumeLogout(deps, orgCode, provider);
  overrideClientChecks(deps, orgCode, provider, () => library.Provider.ctx?.req);
  paceDevices(deps, orgCode, provider, library);
  tellAppClaims(provider);
  tieTokens(provider);
  applyLabToTokens(deps, orgCode, provider, keys);
  return provider;
}

/** A client has several secrets (decision 080), and addresses that are compared exactly. */
function overrideClientChecks(
  deps: Deps,
  orgCode: string,
  { Client }: Provider,
  request: () => IncomingMessage | undefined,
): void {
  Client.prototype.compareClientSecret = function compare(given) {
    return !mustWait(deps, orgCode, request(), given) && isSecretOf(deps, orgCode, this.clientId, given);
  };
  // Which session of the browser an id token belongs to is told to all, and not only where a logout needs it.
  Client.prototype.includeSid = () => true;
  Client.prototype.redirectUriAllowed = function isAllowed(address) {
    const { clientId } = this;
    return (
      isRedirectOf(deps, orgCode, clientId, 'redirectUris', address) || isTryRedirect(deps, orgCode, clientId, address)
    );
  };
  Client.prototype.postLogoutRedirectUriAllowed = function isAllowed(address) {
    return isRedirectOf(deps, orgCode, this.clientId, 'postLogoutRedirectUris', address);
  };
}

/** The library's own names behind the prefix that keeps portals on one host apart. */
const cookieNames = (prefix: string) => ({
  session: `${prefix}_session`,
  interaction: `${prefix}_interaction`,
  resume: `${prefix}_interaction_resume`,
});

/** `fetch` as the library calls it. */
function fetchForLibrary(outside: ReturnType<typeof createOutsideFetch>): NonNullable<Configuration['fetch']> {
  return (url, { method = 'GET', headers, body, signal } = {}) =>
    outside(String(url), {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body,
      signal: signal ?? undefined,
    });
}

/** The scopes of the applications' own claims, which the library has to know. */
const ownScopes = ({ db }: Deps, orgCode: string): Record<string, string[]> =>
  Object.fromEntries(oidcApplicationRepo.listClaimScopes(db, orgCode).map((scope) => [scope, []]));
