import type { Provider } from 'oidc-provider';
import type { lifetimes } from '../tokens/lifetimes.ts';

/**
 * Allows codes and tokens with a lifetime of 0, which expire on issue, by replacing the static `expiresIn` of their
 * models.
 * No option: the library throws if a `ttl` function returns anything but a positive integer. Checked with
 * oidc-provider 9.13.3.
 */
export function allowZeroLifetimes(
  { AccessToken, AuthorizationCode, ClientCredentials, IdToken }: Provider,
  ttl: ReturnType<typeof lifetimes>,
): void {
  Object.defineProperty(AccessToken, 'expiresIn', { value: ttl.AccessToken });
  Object.defineProperty(AuthorizationCode, 'expiresIn', { value: ttl.AuthorizationCode });
  Object.defineProperty(ClientCredentials, 'expiresIn', { value: ttl.ClientCredentials });
  Object.defineProperty(IdToken, 'expiresIn', { value: ttl.IdToken });
}
