import type { KoaContextWithOIDC, Provider } from 'oidc-provider';

/**
 * Adds `at_hash` to ID tokens from the token endpoint (OpenID Connect Core 1.0 §3.1.3.6), which many clients check.
 *
 * No option: the library adds it only to ID tokens of the authorization endpoint. Checked with oidc-provider 9.13.3:
 * `AccessToken.save` returns the token, and `IdToken.issue` hashes the claim with the algorithm of the signature.
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
    // Logout tokens have no request.
    const accessToken: unknown = this.ctx?.state.accessToken;
    if (context.use === 'idtoken' && accessToken !== undefined) this.set('at_hash', accessToken);
    return issue.call(this, context);
  };
}
