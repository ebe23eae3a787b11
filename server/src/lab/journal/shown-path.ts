import { decodedPath, isSecret } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { REDACTED, redactTokens } from './redact.ts';

/** Returns an unserved path for display. Hides IDs that would be hidden in a served path with the same prefix. */
export function displayedPath({ registered }: Deps, path: string): string {
  const segments = decodedPath(path).split('/');
  for (const { path: below, params } of registered.endpoints) {
    const pattern = `/api${below}`.split('/');
    for (const [at, name] of pattern.entries()) {
      const schema = name.startsWith(':') ? params?.shape[name.slice(1)] : undefined;
      const isThere = schema && isSecret(schema) && segments[at] !== undefined;
      if (isThere && pattern.slice(0, at).every((segment, nth) => segment === segments[nth])) segments[at] = REDACTED;
    }
  }
  return redactTokens(hideSignInId(segments.join('/')));
}

/** Hides a pending sign-in's ID in an OpenID provider URL. */
export const hideSignInId = (address: string): string =>
  address.replace(/(\/oidc\/[^/]+\/auth\/)[^?#]+/, `$1${REDACTED}`);
