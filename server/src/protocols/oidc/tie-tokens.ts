import type { Provider } from 'oidc-provider';

/**
 * Ties each ID token to the access token beside it by `at_hash` (OpenID Connect Core §3.1.3.6), which many clients
 * check. The library does so only for tokens that come through the browser. ID tokens of a refresh have no nonce. Call it before the provider's first request.
 */
export function tieTokens({ AccessToken, IdToken }: Provider): void {
  const values = new WeakMap<object, string>();
  const { save } = AccessToken.prototype;
  AccessToken.prototype.save = async function saveAndRemember() {
    const value = await save.call(this);
    values.set(this, value);
    return value;
  };
  const { issue } = IdToken.prototype;
  IdToken.prototype.issue = async function issueTied(context) {
    const { AccessToken: token } = this.ctx?.oidc.entities ?? {};
    const value = token && values.get(token);
    // The library makes the hash, by the algorithm of the signature.
    if (context.use === 'idtoken' && value !== undefined) this.set('at_hash', value);
    // OpenID Connect Core 1.0 §12.2: the nonce belongs to the authorization request.
    if (context.use === 'idtoken' && this.ctx?.oidc.entities.RotatedRefreshToken) this.set('nonce', undefined);
    return issue.call(this, context);
  };
}
