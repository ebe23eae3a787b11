import type { Provider } from 'oidc-provider';

/**
 * Adds `consent` to the prompts of requests for `offline_access`. Applications belong to the organisation, so users are
 * never asked for consent (OpenID Connect Core 1.0 §11, "unless other conditions … are in place").
 *
 * No option: the library drops `offline_access` from every request without `prompt=consent`. Checked with oidc-provider
 * 9.13.3, whose `authorization/scopes.js` reads `OIDCContext.prompts`.
 */
export function implyConsent({ OIDCContext }: Provider): void {
  Object.defineProperty(OIDCContext.prototype, 'prompts', {
    get(this: InstanceType<Provider['OIDCContext']>) {
      const prompts = new Set(wordsOf(this.params?.prompt));
      if (wordsOf(this.params?.scope).includes('offline_access') && !prompts.has('none')) prompts.add('consent');
      return prompts;
    },
  });
}

const wordsOf = (text: unknown): string[] => (typeof text === 'string' ? text.split(' ').filter(Boolean) : []);
