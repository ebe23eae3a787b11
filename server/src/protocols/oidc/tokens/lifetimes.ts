import { oidcApplicationRepo } from '@orchestrate/db';
import { DAY, MINUTE, SECOND, TOKEN_LIFETIMES } from '@orchestrate/shared';
import type { Client, Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type { Deps } from '#deps.ts';

/** Lifetime of a session, in seconds. `browserLifetimeMs` decides how long the session can replace a sign-in. */
export const SESSION_LIFETIME_S = (30 * DAY) / SECOND;
const INTERACTION = (15 * MINUTE) / SECOND;
/** Time allowed for entering a device code, in seconds. */
const DEVICE_CODE = (10 * MINUTE) / SECOND;

/** Claims, lifetime and scopes of access tokens and ID tokens that the lab issues without a sign-in, by token. */
export const LAB_TOKENS = new WeakMap<
  object,
  { claims: Readonly<Record<string, unknown>>; expiresIn: number | undefined; scopes: readonly string[] }
>();

/** Returns the lifetimes of the library's models, using each application's settings. */
export function lifetimes({ db }: Pick<Deps, 'db'>, orgCode: string) {
  const read = (appId: string | undefined): Lifetimes =>
    oidcApplicationRepo.findOidcApplication(db, orgCode, appId ?? '') ?? TOKEN_LIFETIMES;
  /** Returns the client's own lifetimes if present, to avoid reading the database again after each write. */
  const of = (client: Client | undefined): Lifetimes => {
    const ofClient = client?.[LIFETIMES_PROPERTY];
    return isLifetimes(ofClient) ? ofClient : read(client?.clientId);
  };

  return {
    AccessToken: (_ctx, token, client) => LAB_TOKENS.get(token)?.expiresIn ?? of(client).ttlAccessToken,
    AuthorizationCode: (_ctx, _code, client) => of(client).ttlAuthorizationCode,
    ClientCredentials: (_ctx, token, client) => LAB_TOKENS.get(token)?.expiresIn ?? of(client).ttlAccessToken,
    DeviceCode: DEVICE_CODE,
    IdToken: (_ctx, token, client) => LAB_TOKENS.get(token)?.expiresIn ?? of(client).ttlIdToken,
    // A rotated token keeps the first token's expiry, so rotation can't extend a sign-in forever.
    RefreshToken: (ctx: KoaContextWithOIDC | undefined, _token, client) =>
      // If the old token expires during the rotation, the new token is valid for one second.
      Math.max(1, ctx?.oidc.entities.RotatedRefreshToken?.remainingTTL ?? of(client).ttlRefreshToken),
    Grant: (_ctx, grant) => grantLifetime(read(grant.clientId)),
    Interaction: INTERACTION,
    Session: SESSION_LIFETIME_S,
  } satisfies Configuration['ttl'];
}

/** Property of the library's client that contains its application's lifetimes. */
export const LIFETIMES_PROPERTY = 'lifetimes';

function isLifetimes(value: unknown): value is Lifetimes {
  return typeof value === 'object' && value !== null && 'ttlIdToken' in value;
}

/** Returns true if an application gets refresh tokens. It doesn't if they would expire immediately. */
export function mayRefresh({ db }: Pick<Deps, 'db'>, orgCode: string, appId: string): boolean {
  return (oidcApplicationRepo.findOidcApplication(db, orgCode, appId)?.ttlRefreshToken ?? 0) > 0;
}

/** Returns true if each refresh by an application replaces its refresh token. */
export const rotatesRefreshTokens = ({ db }: Pick<Deps, 'db'>, orgCode: string, appId: string): boolean =>
  oidcApplicationRepo.findOidcApplication(db, orgCode, appId)?.rotateRefreshTokens ?? true;

type Lifetimes = Pick<
  oidcApplicationRepo.OidcApplicationRow,
  'ttlIdToken' | 'ttlAccessToken' | 'ttlAuthorizationCode' | 'ttlRefreshToken'
>;

/**
 * Returns a grant's lifetime, in seconds. It is twice as long as needed, so most sign-ins don't have to write the
 * grant again.
 */
export const grantLifetime = ({ ttlAccessToken, ttlAuthorizationCode, ttlRefreshToken }: Lifetimes): number =>
  Math.max(1, 2 * neededLifetime({ ttlAccessToken, ttlAuthorizationCode, ttlRefreshToken }));

/** Returns how long a grant must still be valid, in seconds. */
export const neededLifetime = ({
  ttlAccessToken,
  ttlAuthorizationCode,
  ttlRefreshToken,
}: Omit<Lifetimes, 'ttlIdToken'>): number => ttlAuthorizationCode + ttlRefreshToken + ttlAccessToken;
