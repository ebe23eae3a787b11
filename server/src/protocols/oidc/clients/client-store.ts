import { oidcApplicationRepo } from '@orchestrate/db';
import { authMethodOf, grantsOf, hasCallback, hasSignIn, isLoopback, withoutLoopbackPort } from '@orchestrate/shared';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import { isSameSecret } from '#platform/adapters/secrets.ts';
import { fullAddress, isOwnProtocolAddress } from '#platform/own-addresses.ts';
import { LIFETIMES_PROPERTY } from '../tokens/lifetimes.ts';

type Stores = Pick<Deps, 'db' | 'clock'>;

/** Minimum interval between updates of a secret's last use, to avoid a write on every request. */
const TOUCHED_EVERY_MS = 60_000;

/**
 * Returns a store that presents an organisation's OIDC applications as clients. It reads applications on every
 * request, so changes in the portal apply immediately.
 * @param placeholder replaces the client secret, because a client can have several secrets: see `isSecretOf`
 */
export function clientStore(deps: Pick<Deps, 'db' | 'publicUrl'>, orgCode: string, placeholder: string): Adapter {
  const unused = async () => undefined;
  return {
    async find(id) {
      const application = findApplication(deps, orgCode, id);
      return application && clientOf(application, placeholder);
    },
    upsert: unused,
    findByUserCode: unused,
    findByUid: unused,
    consume: unused,
    destroy: unused,
    revokeByGrantId: unused,
  };
}

/** Finds an application and makes its URIs absolute, as browsers see them. */
function findApplication(
  { db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>,
  orgCode: string,
  appId: string,
): oidcApplicationRepo.OidcApplicationRow | undefined {
  const found = oidcApplicationRepo.findOidcApplication(db, orgCode, appId);
  const absolute = (uri: string) => fullAddress(publicUrl, uri);
  return (
    found && {
      ...found,
      redirectUris: found.redirectUris.map(absolute),
      postLogoutRedirectUris: found.postLogoutRedirectUris.map(absolute),
    }
  );
}

/** Returns an application's client metadata (OpenID Connect Dynamic Client Registration 1.0 §2). */
function clientOf(
  {
    appId,
    name,
    kind,
    redirectUris,
    postLogoutRedirectUris,
    backchannelLogoutUri,
    idTokenAlg,
    jwks,
    jwksUri,
    tokenExchange,
    ...lifetimes
  }: oidcApplicationRepo.OidcApplicationRow,
  secret: string,
): AdapterPayload & { [LIFETIMES_PROPERTY]: object } {
  const { ttlIdToken, ttlAccessToken, ttlAuthorizationCode, ttlRefreshToken } = lifetimes;
  const web = redirectUris.filter(isWeb);
  const method = authMethodOf({ kind, jwks, jwksUri });
  return {
    client_id: appId,
    client_name: name,
    // The library allows one type per client and only that type's URIs, so register one type here and let
    // `isRedirectOf` check all URIs.
    application_type: web.length > 0 ? 'web' : 'native',
    redirect_uris: web.length > 0 ? web : redirectUris,
    post_logout_redirect_uris: postLogoutRedirectUris.filter(web.length > 0 ? isWeb : isAny),
    grant_types: [...grantsOf({ kind, redirectUris, tokenExchange }), ...(hasSignIn(kind) ? ['refresh_token'] : [])],
    response_types: hasCallback(kind, redirectUris) ? ['code'] : [],
    ...(backchannelLogoutUri !== null && {
      backchannel_logout_uri: backchannelLogoutUri,
      backchannel_logout_session_required: true,
    }),
    [LIFETIMES_PROPERTY]: { ttlIdToken, ttlAccessToken, ttlAuthorizationCode, ttlRefreshToken },
    id_token_signed_response_alg: idTokenAlg,
    token_endpoint_auth_method: method,
    ...(method === 'client_secret_basic' && { client_secret: secret }),
    ...(method === 'private_key_jwt' && (jwks ? { jwks } : { jwks_uri: jwksUri ?? '' })),
  };
}

const isWeb = (address: string): boolean => /^https?:/i.test(address);
const isAny = (): boolean => true;

/**
 * Returns true if an application has registered a redirect URI. Requires an exact match (RFC 9700 §2.1), except for
 * the port of a loopback address (RFC 8252 §7.3).
 */
export function isRedirectOf(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  orgCode: string,
  appId: string,
  list: 'redirectUris' | 'postLogoutRedirectUris',
  uri: string,
): boolean {
  if (isOwnProtocolAddress(deps.publicUrl, uri)) return false;
  const allowed = findApplication(deps, orgCode, appId)?.[list] ?? [];
  if (allowed.includes(uri)) return true;
  const portless = withoutLoopbackPort(uri);
  // Rejects ports above 65535.
  return URL.canParse(uri) && allowed.some((one) => isLoopback(one) && withoutLoopbackPort(one) === portless);
}

/** Returns true if no member can sign in to a confidential application, because it has no valid secret. */
export function isClosed({ db, clock }: Stores, orgCode: string, appId: string): boolean {
  const application = oidcApplicationRepo.findOidcApplication(db, orgCode, appId);
  if (!application || authMethodOf(application) !== 'client_secret_basic') return false;
  const now = clock.now();
  return !oidcApplicationRepo
    .listSecretsByClient(db, orgCode, appId)
    .some(({ expiresAt }) => expiresAt === null || expiresAt > now);
}

/** Returns true if the client has this secret and the secret is currently valid. Records the secret's use. */
export function isSecretOf({ db, clock }: Stores, orgCode: string, appId: string, candidate: string): boolean {
  const now = clock.now();
  // Compares all secrets, so that the response time doesn't reveal which secret was close.
  const [match] = oidcApplicationRepo
    .listSecretsByClient(db, orgCode, appId)
    .filter(({ secret, expiresAt }) => isSameSecret(candidate, secret) && (expiresAt === null || expiresAt > now));
  if (!match) return false;
  if (now - (match.lastUsedAt ?? 0) >= TOUCHED_EVERY_MS) {
    oidcApplicationRepo.touchClientSecret(db, orgCode, match.id, now);
  }
  return true;
}
