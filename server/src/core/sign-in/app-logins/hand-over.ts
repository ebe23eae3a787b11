import { appLoginRepo } from '@orchestrate/db';
import { MINUTE, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import { type CookieDeps, cookieHeader, readCookie } from '#platform/http/callers/cookie.ts';
import { continuePath } from '#platform/own-addresses.ts';
import type { IdentifiedBrowser } from '../browser-id.ts';

/*
 * Browsers send no `SameSite=Lax` cookie with a form that another site posts (RFC 6265bis §5.6.7.2), but they accept one
 * from the answer. So a sign-in that starts with such a form belongs to a cookie of its own until the browser follows a
 * redirect, with which it sends `identifyBrowser`'s cookie.
 */

const nameOf = (id: string): string => `app_login_${id}`;

const scopeOf = (orgCode: string) => ({ path: continuePath('saml', orgCode), sameSite: 'lax' }) as const;

/** Returns an identity for this browser that only its next request can prove. */
export function handOver(deps: CookieDeps & Pick<Deps, 'random'>, orgCode: string, id: string): IdentifiedBrowser {
  const secret = deps.random.secret();
  const options = { ...scopeOf(orgCode), seconds: MINUTE / SECOND };
  return { browser: hashSecret(secret), cookie: cookieHeader(deps, nameOf(id), secret, options) };
}

/** A `Set-Cookie` header that deletes the cookie of `handOver`. */
export const noHandOver = (deps: CookieDeps, orgCode: string, id: string): string =>
  cookieHeader(deps, nameOf(id), '', { ...scopeOf(orgCode), seconds: 0 });

/** Binds the sign-in to the browser `to`. Returns it, or undefined if this browser didn't start it. */
export function takeOver(
  deps: CookieDeps & Pick<Deps, 'db' | 'clock'>,
  header: string | undefined,
  { orgCode, id, to }: Record<'orgCode' | 'id' | 'to', string>,
): appLoginRepo.AppLoginRow | undefined {
  const browser = hashSecret(readCookie(deps, header, nameOf(id)));
  return appLoginRepo.handOverAppLogin(deps.db, orgCode, { id, browser, to, now: deps.clock.now() });
}
