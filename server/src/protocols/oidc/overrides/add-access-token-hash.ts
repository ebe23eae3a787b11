import type { KoaContextWithOIDC, Provider } from 'oidc-provider';

/**
 * Adds `at_hash` to ID tokens from the token endpoint (OpenID Connect Core 1.0 §3.1.3.6), because many clients check
 * it. No option: the library adds `at_hash` only to ID tokens from the authorization endpoint. Checked with
 * oidc-provider 9.13.3: `AccessToken.save` returns the token, and `IdToken.issue` hashes the claim with the signature
 * algorithm.
 */
export function addAccessTokenHash(
  { AccessToken, IdToken }: Provider,
  currentContext: () => KoaContextWithOIDC | undefined,
): void {
  const { save } = AccessToken.prototype;
  AccessToken.prototype.save = async function saveForHash() {
    const accessToken = await save.call(this);
    const ctx = currentContext();
    if (ctx) ctx.state.accessToken = accessToken;
    return accessToken;
  };
  const { issue } = IdToken.prototype;
  IdToken.prototype.issue = async function issueWithHash(context) {
    // Logout tokens have no request context.
    const accessToken: unknown = this.ctx?.state.accessToken;
    if (context.use === 'idtoken' && accessToken !== undefined) this.set('at_hash', accessToken);
    return issue.call(this, context);
  };
}
