import type { Claims, Provider } from 'oidc-provider';

/** The key under which an account's claims hold those that its application defines. */
export const APP_CLAIMS = Symbol('claims of the application');

/**
 * Adds the claims under `APP_CLAIMS` to ID tokens and userinfo.
 *
 * No option: the library releases only claims that the configuration lists, for all clients alike, and publishes that
 * list in discovery. Checked with oidc-provider 9.13.3, whose `Claims` keeps the account's claims in `available`.
 */
export function releaseAppClaims({ Claims: { prototype } }: Provider): void {
  const { result } = prototype;
  prototype.result = async function resultWithAppClaims() {
    const claims = await result.call(this);
    const { available } = this as Claims & { available: { [APP_CLAIMS]?: object } };
    return { ...claims, ...available[APP_CLAIMS] };
  };
}
