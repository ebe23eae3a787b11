import { type CookieDeps, cookieHeader, readCookie } from '../../platform/http/callers/cookie.ts';

const NAME = 'portal_external';
const SECRET = /^[\w-]{43}$/;

/** The secret that identifies the browser that began: no script can read it, and no other site's form sends it. */
export function readBrowserSecret(deps: CookieDeps, cookies: string | undefined): string | undefined {
  const secret = readCookie(deps, cookies, NAME);
  return SECRET.test(secret) ? secret : undefined;
}

/**
 * A `Set-Cookie` header. Lax, because the provider sends the browser back from another site. @param seconds until it is
 * forgotten
 */
export const browserSecretCookie = (deps: CookieDeps, secret: string, seconds: number): string =>
  cookieHeader(deps, NAME, secret, { seconds, path: '/api/oidc', sameSite: 'lax' });
