import type { Claims, Provider } from 'oidc-provider';

/** Key in an account's claims for the claims that its application defines. */
export const APP_CLAIMS = Symbol('claims of the application');

/**
 * Adds the claims stored under `APP_CLAIMS` to ID tokens and userinfo.
 * No option: the library releases only claims that the configuration lists, the same for all clients, and publishes
 * that list in discovery. Checked with oidc-provider 9.13.3, whose `Claims` stores the account's claims in
 * `available`.
 */
export function releaseAppClaims({ Claims: { prototype } }: Provider): void {
  const { result } = prototype;
  prototype.result = async function resultWithAppClaims() {
    const claims = await result.call(this);
    const { available } = this as Claims & { available: { [APP_CLAIMS]?: object } };
    return { ...claims, ...available[APP_CLAIMS] };
  };
}
