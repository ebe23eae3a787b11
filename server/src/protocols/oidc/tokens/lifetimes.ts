import { oidcApplicationRepo } from '@orchestrate/db';
import { DAY, MINUTE, SECOND, TOKEN_LIFETIMES } from '@orchestrate/shared';
import type { Client, Configuration } from 'oidc-provider';
import type { Deps } from '#deps.ts';

/** Lifetime of a session, in seconds. `rememberedFor` decides for how long it counts as a sign-in. */
export const SESSION = (30 * DAY) / SECOND;
const INTERACTION = (15 * MINUTE) / SECOND;
/** Time to enter a device's code, in seconds. */
const DEVICE_CODE = (10 * MINUTE) / SECOND;

/** Returns the lifetimes of the library's models, as each application sets them. */
export function lifetimes({ db }: Pick<Deps, 'db'>, orgCode: string) {
  const read = (appId: string | undefined): Lifetimes =>
    oidcApplicationRepo.findOidcApplication(db, orgCode, appId ?? '') ?? TOKEN_LIFETIMES;
  /** Uses those of the client if it has them, which saves reading the database again after each write. */
  const of = (client: Client | undefined): Lifetimes => {
    const ofClient = client?.[LIFETIMES];
    return isLifetimes(ofClient) ? ofClient : read(client?.clientId);
  };

  return {
    AccessToken: (_ctx, _token, client) => of(client).ttlAccessToken,
    AuthorizationCode: (_ctx, _code, client) => of(client).ttlAuthorizationCode,
    ClientCredentials: (_ctx, _token, client) => of(client).ttlAccessToken,
    DeviceCode: DEVICE_CODE,
    IdToken: (_ctx, _token, client) => of(client).ttlIdToken,
    // A rotated token expires when the first one would have, so that rotation doesn't extend a sign-in forever.
    RefreshToken: (ctx, _token, client) =>
      // If it expires during the rotation, a second is left.
      Math.max(1, ctx.oidc.entities.RotatedRefreshToken?.remainingTTL ?? of(client).ttlRefreshToken),
    Grant: (_ctx, grant) => grantLifetime(read(grant.clientId)),
    Interaction: INTERACTION,
    Session: SESSION,
  } satisfies Configuration['ttl'];
}

/** The property of the library's client with the lifetimes of its application. */
export const LIFETIMES = 'lifetimes';

function isLifetimes(value: unknown): value is Lifetimes {
  return typeof value === 'object' && value !== null && 'ttlIdToken' in value;
}

/** Returns whether an application gets refresh tokens: not if they would expire immediately. */
export function mayRefresh({ db }: Pick<Deps, 'db'>, orgCode: string, appId: string): boolean {
  return (oidcApplicationRepo.findOidcApplication(db, orgCode, appId)?.ttlRefreshToken ?? 0) > 0;
}

type Lifetimes = Pick<
  oidcApplicationRepo.OidcApplicationRow,
  'ttlIdToken' | 'ttlAccessToken' | 'ttlAuthorizationCode' | 'ttlRefreshToken'
>;

/** Returns twice the needed lifetime, in seconds, so that not every sign-in writes the grant again. */
export const grantLifetime = ({ ttlAccessToken, ttlAuthorizationCode, ttlRefreshToken }: Lifetimes): number =>
  Math.max(1, 2 * neededLifetime({ ttlAccessToken, ttlAuthorizationCode, ttlRefreshToken }));

/** Returns for how long a grant must still be valid, in seconds. */
export const neededLifetime = ({
  ttlAccessToken,
  ttlAuthorizationCode,
  ttlRefreshToken,
}: Omit<Lifetimes, 'ttlIdToken'>): number => ttlAuthorizationCode + ttlRefreshToken + ttlAccessToken;
