import { createHash } from 'node:crypto';
import { testSignInRepo } from '@orchestrate/db';
import type { StartedTestSignIn } from '#core/sign-in/app-logins/start-test-sign-in.ts';
import type { Deps } from '#deps.ts';
import { oidcAddresses, testSignInPath } from '#platform/own-addresses.ts';

/** Scopes of a test sign-in. They cover all standard claims but request no token that would outlive the test. */
const SCOPE = 'openid profile email roles';

/** Returns the client's redirect URI during a test. */
export const testRedirectUri = ({ publicUrl }: Pick<Deps, 'publicUrl'>, orgCode: string): string =>
  `${publicUrl}${testSignInPath('oidc', orgCode)}`;

/** Returns the authorization request that the client would send (OpenID Connect Core 1.0 §3.1.2.1). */
export function oidcTestUrl(
  deps: Pick<Deps, 'publicUrl'>,
  { orgCode, appId }: { orgCode: string; appId: string },
  { id, nonce, codeVerifier }: StartedTestSignIn,
): string {
  const query = new URLSearchParams({
    client_id: appId,
    redirect_uri: testRedirectUri(deps, orgCode),
    response_type: 'code',
    scope: SCOPE,
    state: id,
    nonce,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return `${oidcAddresses(deps.publicUrl, orgCode).authorizationEndpoint}?${query}`;
}

/** Returns true if the URI is the redirect URI of a test in progress. It is not valid at any other time. */
export function isTestRedirectUri(
  deps: Pick<Deps, 'db' | 'clock' | 'publicUrl'>,
  orgCode: string,
  appId: string,
  uri: string,
): boolean {
  return (
    uri === testRedirectUri(deps, orgCode) &&
    testSignInRepo.hasPendingTestSignIn(deps.db, orgCode, appId, deps.clock.now())
  );
}
