import { type CookieDeps, cookieHeader, readCookie } from '#platform/http/callers/cookie.ts';

/** The contents of the cookie of a remembered browser. */
export interface BrowserSecret {
  id: string;
  secret: string;
}

/** Returns the cookie name. Several organisations can remember the same browser. */
const nameOf = (orgCode: string) => `portal_browser_${orgCode}`;

/** Sent only to the API, and never on requests from other sites. */
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

/** Returns a `Set-Cookie` header. @param seconds lifetime of the cookie */
export const browserCookie = (
  deps: CookieDeps,
  orgCode: string,
  { id, secret }: BrowserSecret,
  seconds: number,
): string => cookieHeader(deps, nameOf(orgCode), `${id}.${secret}`, { ...SCOPE, seconds });

/** Returns a `Set-Cookie` header that deletes the cookie. */
export const noBrowserCookie = (deps: CookieDeps, orgCode: string): string =>
  cookieHeader(deps, nameOf(orgCode), '', { ...SCOPE, seconds: 0 });
