import { createHash } from 'node:crypto';
import { appTryRepo } from '@orchestrate/db';
import type { BegunAppTry } from '../../core/sign-in/begin-app-try.ts';
import type { Deps } from '../../deps.ts';

/** What a try asks for: everything that the claims rest on, and no token that would outlive it. */
const SCOPE = 'openid profile email roles';

export const oidcTryPath = (orgCode: string): string => `/oidc/${orgCode}/try`;

/** The client's own address, as long as it is tried. */
export const tryRedirect = ({ publicUrl }: Pick<Deps, 'publicUrl'>, orgCode: string): string =>
  `${publicUrl}${oidcTryPath(orgCode)}`;

/** An authorization request as the client would send it (OpenID Connect Core 1.0 §3.1.2.1). */
export function oidcTryAddress(
  deps: Pick<Deps, 'publicUrl'>,
  { orgCode, appId }: { orgCode: string; appId: string },
  { id, nonce, codeVerifier }: BegunAppTry,
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
  return `${deps.publicUrl}/oidc/${orgCode}/auth?${query}`;
}

/** Whether an address is that of a try that is under way: at no other time may an application be gone back to there. */
export function isTryRedirect(
  deps: Pick<Deps, 'db' | 'clock' | 'publicUrl'>,
  orgCode: string,
  appId: string,
  address: string,
): boolean {
  return address === tryRedirect(deps, orgCode) && appTryRepo.isBeingTried(deps.db, orgCode, appId, deps.clock.now());
}
