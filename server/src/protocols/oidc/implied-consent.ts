import type { Provider } from 'oidc-provider';

/**
 * `offline_access` is granted without `prompt=consent` too: applications are the organisation's own and nobody is asked
 * for consent (OpenID Connect Core 1.0 §11, "unless other conditions … are in place"). The library requires the word,
 * so it is understood in every request, whichever way it comes.
 */
export function implyConsent({ OIDCContext }: Provider): void {
  const { prototype } = OIDCContext;
  Object.defineProperty(prototype, 'prompts', {
    get(this: InstanceType<Provider['OIDCContext']>) {
      const prompts = new Set(wordsOf(this.params?.prompt));
      if (wordsOf(this.params?.scope).includes('offline_access') && !prompts.has('none')) prompts.add('consent');
      return prompts;
    },
  });
}

const wordsOf = (text: unknown): string[] => (typeof text === 'string' ? text.split(' ').filter(Boolean) : []);
