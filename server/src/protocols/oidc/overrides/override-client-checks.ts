import type { Provider } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import { isRedirectOf, isSecretOf } from '../clients/client-store.ts';
import type { ClientAttempts } from '../clients/limit-attempts.ts';
import { isTestRedirectUri } from '../test-sign-in/test-sign-in-url.ts';

/**
 * Overrides `Client` checks: compares all of a client's valid secrets (decision 080), matches redirect URIs exactly
 * except for loopback ports, and includes `sid` in every ID token.
 * No option: the library supports one secret per client, allows loopback ports only for clients whose URIs are all
 * native, and adds `sid` only if the client has a back-channel logout URI. Checked with oidc-provider 9.13.3.
 */
export function overrideClientChecks(
  deps: Deps,
  orgCode: string,
  { Client }: Provider,
  attempts: Pick<ClientAttempts, 'mustWait'>,
): void {
  const { prototype } = Client;
  prototype.compareClientSecret = function compare(secret) {
    return !attempts.mustWait(secret) && isSecretOf(deps, orgCode, this.clientId, secret);
  };
  prototype.includeSid = () => true;
  prototype.redirectUriAllowed = function isAllowed(uri) {
    const { clientId } = this;
    return (
      isRedirectOf(deps, orgCode, clientId, 'redirectUris', uri) || isTestRedirectUri(deps, orgCode, clientId, uri)
    );
  };
  prototype.postLogoutRedirectUriAllowed = function isAllowed(uri) {
    return isRedirectOf(deps, orgCode, this.clientId, 'postLogoutRedirectUris', uri);
  };
}
