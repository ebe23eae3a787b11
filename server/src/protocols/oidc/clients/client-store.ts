import { oidcApplicationRepo } from '@orchestrate/db';
import { authMethodOf, grantsOf, hasCallback, hasSignIn, isLoopback, withoutLoopbackPort } from '@orchestrate/shared';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import { isSameSecret } from '#platform/adapters/secrets.ts';
import { isOwnProtocolAddress, wholeAddress } from '#platform/own-addresses.ts';
import { LIFETIMES } from '../tokens/lifetimes.ts';

type Stores = Pick<Deps, 'db' | 'clock'>;

/** The last use of a secret is recorded at most this often, so that not every request is a write. */
const TOUCHED_EVERY_MS = 60_000;

/**
 * The OIDC applications of an organisation as clients, read on every request, so that changes in the portal apply at
 * once.
 * @param placeholder stands in for the client secret, of which there are several: see `isSecretOf`
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

/** An application with its addresses in full, as browsers know them. */
function findApplication(
  { db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>,
  orgCode: string,
  appId: string,
): oidcApplicationRepo.OidcApplicationRow | undefined {
  const found = oidcApplicationRepo.findOidcApplication(db, orgCode, appId);
  const whole = (kept: string) => wholeAddress(publicUrl, kept);
  return (
    found && {
      ...found,
      redirectUris: found.redirectUris.map(whole),
      postLogoutRedirectUris: found.postLogoutRedirectUris.map(whole),
    }
  );
}

/** OpenID Connect Dynamic Client Registration 1.0 §2. */
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
    ...lifetimes
  }: oidcApplicationRepo.OidcApplicationRow,
  secret: string,
): AdapterPayload & { [LIFETIMES]: object } {
  const { ttlIdToken, ttlAccessToken, ttlAuthorizationCode, ttlRefreshToken } = lifetimes;
  const web = redirectUris.filter(isWeb);
  const method = authMethodOf({ kind, jwks, jwksUri });
  return {
    client_id: appId,
    client_name: name,
    // The library allows only one kind per client. Which addresses are allowed is decided by the application: see
    // `isRedirectOf`.
    application_type: web.length > 0 ? 'web' : 'native',
    redirect_uris: web.length > 0 ? web : redirectUris,
    post_logout_redirect_uris: postLogoutRedirectUris.filter(web.length > 0 ? isWeb : isAny),
    grant_types: [...grantsOf(kind, redirectUris), ...(hasSignIn(kind) ? ['refresh_token'] : [])],
    response_types: hasCallback(kind, redirectUris) ? ['code'] : [],
    ...(backchannelLogoutUri !== null && {
      backchannel_logout_uri: backchannelLogoutUri,
      backchannel_logout_session_required: true,
    }),
    [LIFETIMES]: { ttlIdToken, ttlAccessToken, ttlAuthorizationCode, ttlRefreshToken },
    id_token_signed_response_alg: idTokenAlg,
    token_endpoint_auth_method: method,
    ...(method === 'client_secret_basic' && { client_secret: secret }),
    ...(method === 'private_key_jwt' && (jwks ? { jwks } : { jwks_uri: jwksUri ?? '' })),
  };
}

const isWeb = (address: string): boolean => /^https?:/i.test(address);
const isAny = (): boolean => true;

/**
 * Whether this is a redirect address of the application: compared exactly (RFC 9700 §2.1), but for the port of a
 * program on the person's own machine, which takes whichever is free (RFC 8252 §7.3).
 */
export function isRedirectOf(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  orgCode: string,
  appId: string,
  list: 'redirectUris' | 'postLogoutRedirectUris',
  address: string,
): boolean {
  if (isOwnProtocolAddress(deps.publicUrl, address)) return false;
  const allowed = findApplication(deps, orgCode, appId)?.[list] ?? [];
  if (allowed.includes(address)) return true;
  const portless = withoutLoopbackPort(address);
  // There are 65535 ports.
  return URL.canParse(address) && allowed.some((one) => isLoopback(one) && withoutLoopbackPort(one) === portless);
}

/**
 * Whether nothing lets the application in, which must be able to prove who it is: then nobody signs in to it either.
 */
export function isClosed({ db, clock }: Stores, orgCode: string, appId: string): boolean {
  const application = oidcApplicationRepo.findOidcApplication(db, orgCode, appId);
  if (!application || authMethodOf(application) !== 'client_secret_basic') return false;
  const now = clock.now();
  return !oidcApplicationRepo
    .listSecretsOfClient(db, orgCode, appId)
    .some(({ expiresAt }) => expiresAt === null || expiresAt > now);
}

/** Whether this is one of the client's currently valid secrets; records its use. */
export function isSecretOf({ db, clock }: Stores, orgCode: string, appId: string, given: string): boolean {
  const now = clock.now();
  // All are compared, so that the time taken does not reveal which one was close.
  const [match] = oidcApplicationRepo
    .listSecretsOfClient(db, orgCode, appId)
    .filter(({ secret, expiresAt }) => isSameSecret(given, secret) && (expiresAt === null || expiresAt > now));
  if (!match) return false;
  if (now - (match.lastUsedAt ?? 0) >= TOUCHED_EVERY_MS) {
    oidcApplicationRepo.touchClientSecret(db, orgCode, match.id, now);
  }
  return true;
}
