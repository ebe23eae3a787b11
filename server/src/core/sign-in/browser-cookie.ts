import { type CookieDeps, cookieHeader, readCookie } from '#platform/http/callers/cookie.ts';

/** Contents of a remembered browser's cookie. */
export interface BrowserSecret {
  id: string;
  secret: string;
}

/**
 * Returns the cookie name, which differs by organisation because several organisations can remember the same browser.
 */
const nameOf = (orgCode: string) => `portal_browser_${orgCode}`;

/** Limits the cookie to the API, and to requests from the portal's own site. */
const SCOPE = { path: '/api', sameSite: 'strict' } as const;

/** Reads the secret for this organisation from a request's `Cookie` header. */
export function readBrowserCookie(
  deps: CookieDeps,
  header: string | undefined,
  orgCode: string,
): BrowserSecret | undefined {
  const [id = '', secret = '', ...more] = readCookie(deps, header, nameOf(orgCode)).split('.');
  return id && secret && more.length === 0 ? { id, secret } : undefined;
}

/** Returns a `Set-Cookie` header for a remembered browser. @param seconds cookie lifetime */
export const browserCookie = (
  deps: CookieDeps,
  orgCode: string,
  { id, secret }: BrowserSecret,
  seconds: number,
): string => cookieHeader(deps, nameOf(orgCode), `${id}.${secret}`, { ...SCOPE, seconds });

/** Returns a `Set-Cookie` header that makes the browser delete the cookie. */
export const clearBrowserCookie = (deps: CookieDeps, orgCode: string): string =>
  cookieHeader(deps, nameOf(orgCode), '', { ...SCOPE, seconds: 0 });
