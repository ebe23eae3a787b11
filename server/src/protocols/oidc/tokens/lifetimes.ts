import { oidcApplicationRepo } from '@orchestrate/db';
import { DAY, MINUTE, SECOND, TOKEN_LIFETIMES } from '@orchestrate/shared';
import type { Client, Configuration, Provider } from 'oidc-provider';
import type { Deps } from '#deps.ts';

/**
 * How long a session is kept, in seconds; whether it still counts as a sign-in is decided by the application: see
 * `rememberedFor`.
 */
export const SESSION = (30 * DAY) / SECOND;
const INTERACTION = (15 * MINUTE) / SECOND;
/** How long a device waits for its person, in seconds. */
const DEVICE_CODE = (10 * MINUTE) / SECOND;

/** Lifetimes, as each application sets them. */
export function lifetimes({ db }: Pick<Deps, 'db'>, orgCode: string) {
  const read = (appId: string | undefined): Lifetimes =>
    oidcApplicationRepo.findOidcApplication(db, orgCode, appId ?? '') ?? TOKEN_LIFETIMES;
  /** Taken from the client if it carries them, because after each write the database would have to be read again. */
  const of = (client: Client | undefined): Lifetimes => {
    const known = client?.[LIFETIMES];
    return isLifetimes(known) ? known : read(client?.clientId);
  };

  return {
    AccessToken: (_ctx, _token, client) => of(client).ttlAccessToken,
    AuthorizationCode: (_ctx, _code, client) => of(client).ttlAuthorizationCode,
    ClientCredentials: (_ctx, _token, client) => of(client).ttlAccessToken,
    DeviceCode: DEVICE_CODE,
    IdToken: (_ctx, _token, client) => of(client).ttlIdToken,
    // A rotated token ends when the first one would have: rotating must not keep anyone signed in for ever.
    RefreshToken: (ctx, _token, client) =>
      // One that ends while it is rotated has a second left.
      Math.max(1, ctx.oidc.entities.RotatedRefreshToken?.remainingTTL ?? of(client).ttlRefreshToken),
    Grant: (_ctx, grant) => grantLifetime(read(grant.clientId)),
    Interaction: INTERACTION,
    Session: SESSION,
  } satisfies Configuration['ttl'];
}

/**
 * Lets codes and tokens have a lifetime of 0, which the library refuses to make: they are expired from the start. Call it
 * before the provider's first request.
 */
export function allowNoLifetime(
  { AccessToken, AuthorizationCode, ClientCredentials, IdToken }: Provider,
  ttl: ReturnType<typeof lifetimes>,
): void {
  Object.defineProperty(AccessToken, 'expiresIn', { value: ttl.AccessToken });
  Object.defineProperty(AuthorizationCode, 'expiresIn', { value: ttl.AuthorizationCode });
  Object.defineProperty(ClientCredentials, 'expiresIn', { value: ttl.ClientCredentials });
  Object.defineProperty(IdToken, 'expiresIn', { value: ttl.IdToken });
}

/** The property under which the library's client keeps the lifetimes of its application. */
export const LIFETIMES = 'lifetimes';

function isLifetimes(value: unknown): value is Lifetimes {
  return typeof value === 'object' && value !== null && 'ttlIdToken' in value;
}

/** Whether an application gets refresh tokens at all: not if they would expire immediately. */
export function mayRefresh({ db }: Pick<Deps, 'db'>, orgCode: string, appId: string): boolean {
  return (oidcApplicationRepo.findOidcApplication(db, orgCode, appId)?.ttlRefreshToken ?? 0) > 0;
}

type Lifetimes = Pick<
  oidcApplicationRepo.OidcApplicationRow,
  'ttlIdToken' | 'ttlAccessToken' | 'ttlAuthorizationCode' | 'ttlRefreshToken'
>;

/** Twice as long as anything that rests on it, so that it need not be written again with every sign-in. */
export const grantLifetime = ({ ttlAccessToken, ttlAuthorizationCode, ttlRefreshToken }: Lifetimes): number =>
  Math.max(1, 2 * neededLifetime({ ttlAccessToken, ttlAuthorizationCode, ttlRefreshToken }));

/** How long a grant must last from now on. Seconds. */
export const neededLifetime = ({
  ttlAccessToken,
  ttlAuthorizationCode,
  ttlRefreshToken,
}: Omit<Lifetimes, 'ttlIdToken'>): number => ttlAuthorizationCode + ttlRefreshToken + ttlAccessToken;
