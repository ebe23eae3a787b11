import { createHash } from 'node:crypto';
import { testSignInRepo } from '@orchestrate/db';
import type { StartedTestSignIn } from '#core/sign-in/app-logins/start-test-sign-in.ts';
import type { Deps } from '#deps.ts';
import { oidcAddresses, tryPath } from '#platform/own-addresses.ts';

/** The scopes of a test: all that the claims need, without a token that would outlive the test. */
const SCOPE = 'openid profile email roles';

/** Returns the client's redirect URI during a test. */
export const testRedirectUri = ({ publicUrl }: Pick<Deps, 'publicUrl'>, orgCode: string): string =>
  `${publicUrl}${tryPath('oidc', orgCode)}`;

/** Returns an authorization request as the client would send it (OpenID Connect Core 1.0 §3.1.2.1). */
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

/** Returns whether a URI is the redirect URI of a test in progress; at no other time is it valid. */
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
