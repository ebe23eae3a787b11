import { appLoginRepo } from '@orchestrate/db';
import { MINUTE, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import { type CookieDeps, cookieHeader, readCookie } from '#platform/http/callers/cookie.ts';
import { continuePath } from '#platform/own-addresses.ts';
import type { IdentifiedBrowser } from '../browser-id.ts';

/*
 * Browsers don't send `SameSite=Lax` cookies with a form posted by another site (RFC 6265bis §5.6.7.2), but they
 * accept cookies from the response. A sign-in that starts with such a form is therefore bound to a separate cookie
 * until the browser follows a redirect, which carries the `identifyBrowser` cookie.
 */

const nameOf = (id: string): string => `app_login_${id}`;

const scopeOf = (orgCode: string) => ({ path: continuePath('saml', orgCode), sameSite: 'lax' }) as const;

/** Creates a temporary browser identity, which only the browser's next request can prove. */
export function startHandOver(deps: CookieDeps & Pick<Deps, 'random'>, orgCode: string, id: string): IdentifiedBrowser {
  const secret = deps.random.secret();
  const options = { ...scopeOf(orgCode), seconds: MINUTE / SECOND };
  return { browser: hashSecret(secret), cookie: cookieHeader(deps, nameOf(id), secret, options) };
}

/** Returns a `Set-Cookie` header that deletes the `startHandOver` cookie. */
export const clearHandOverCookie = (deps: CookieDeps, orgCode: string, id: string): string =>
  cookieHeader(deps, nameOf(id), '', { ...scopeOf(orgCode), seconds: 0 });

/** Rebinds a sign-in to the browser `to`. Returns the sign-in, or undefined if this browser didn't start it. */
export function completeHandOver(
  deps: CookieDeps & Pick<Deps, 'db' | 'clock'>,
  header: string | undefined,
  { orgCode, id, to }: Record<'orgCode' | 'id' | 'to', string>,
): appLoginRepo.AppSignInRow | undefined {
  const browser = hashSecret(readCookie(deps, header, nameOf(id)));
  return appLoginRepo.handOverAppSignIn(deps.db, orgCode, { id, browser, to, now: deps.clock.now() });
}
