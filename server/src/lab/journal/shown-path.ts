import { decodedPath, isSecret } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { SECRET, withoutTokens } from './redact.ts';

/** Returns an unserved path for display, hiding the ids that a served path with the same prefix would hide. */
export function shownPath({ registered }: Deps, path: string): string {
  const segments = decodedPath(path).split('/');
  for (const { path: below, params } of registered.endpoints) {
    const pattern = `/api${below}`.split('/');
    for (const [at, name] of pattern.entries()) {
      const schema = name.startsWith(':') ? params?.shape[name.slice(1)] : undefined;
      const isThere = schema && isSecret(schema) && segments[at] !== undefined;
      if (isThere && pattern.slice(0, at).every((segment, nth) => segment === segments[nth])) segments[at] = SECRET;
    }
  }
  return withoutTokens(withoutSignIn(segments.join('/')));
}

/** Hides the id of a pending sign-in in a URL of the OpenID provider. */
export const withoutSignIn = (address: string): string =>
  address.replace(/(\/oidc\/[^/]+\/auth\/)[^?#]+/, `$1${SECRET}`);
