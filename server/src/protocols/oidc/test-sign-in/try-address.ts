import { createHash } from 'node:crypto';
import { testSignInRepo } from '@orchestrate/db';
import type { StartedTestSignIn } from '#core/sign-in/app-logins/begin-app-try.ts';
import type { Deps } from '#deps.ts';
import { oidcAddresses, tryPath } from '#platform/own-addresses.ts';

/** The scopes of a try: everything that the claims need, and no token that would outlive it. */
const SCOPE = 'openid profile email roles';

/** The client's redirect address during a try. */
export const tryRedirect = ({ publicUrl }: Pick<Deps, 'publicUrl'>, orgCode: string): string =>
  `${publicUrl}${tryPath('oidc', orgCode)}`;

/** An authorization request as the client would send it (OpenID Connect Core 1.0 §3.1.2.1). */
export function oidcTryAddress(
  deps: Pick<Deps, 'publicUrl'>,
  { orgCode, appId }: { orgCode: string; appId: string },
  { id, nonce, codeVerifier }: StartedTestSignIn,
): string {
  const query = new URLSearchParams({
    client_id: appId,
    redirect_uri: tryRedirect(deps, orgCode),
    response_type: 'code',
    scope: SCOPE,
    state: id,
    nonce,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return `${oidcAddresses(deps.publicUrl, orgCode).authorizationEndpoint}?${query}`;
}

/** Whether an address is that of a try under way: at no other time is it a valid redirect address. */
export function isTryRedirect(
  deps: Pick<Deps, 'db' | 'clock' | 'publicUrl'>,
  orgCode: string,
  appId: string,
  address: string,
): boolean {
  return (
    address === tryRedirect(deps, orgCode) &&
    testSignInRepo.hasPendingTestSignIn(deps.db, orgCode, appId, deps.clock.now())
  );
}
