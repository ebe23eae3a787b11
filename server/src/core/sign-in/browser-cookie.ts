import { type CookieDeps, cookieHeader, readCookie } from '#platform/http/callers/cookie.ts';

/** The secret of a remembered browser, as its cookie carries it. */
export interface BrowserSecret {
  id: string;
  secret: string;
}

/** One cookie per organisation: a browser may be remembered by several. */
const nameOf = (orgCode: string) => `portal_browser_${orgCode}`;

/** Sent only to the API, and never on requests from other sites. */
const SCOPE = { path: '/api', sameSite: 'strict' } as const;

/** The secret of this organisation's browser from a request's `Cookie` header. */
export function readBrowserCookie(
  deps: CookieDeps,
  header: string | undefined,
  orgCode: string,
): BrowserSecret | undefined {
  const [id = '', secret = '', ...more] = readCookie(deps, header, nameOf(orgCode)).split('.');
  return id && secret && more.length === 0 ? { id, secret } : undefined;
}

/** A `Set-Cookie` header. @param seconds how long the browser keeps it */
export const browserCookie = (
  deps: CookieDeps,
  orgCode: string,
  { id, secret }: BrowserSecret,
  seconds: number,
): string => cookieHeader(deps, nameOf(orgCode), `${id}.${secret}`, { ...SCOPE, seconds });

/** A `Set-Cookie` header that deletes it. */
export const noBrowserCookie = (deps: CookieDeps, orgCode: string): string =>
  cookieHeader(deps, nameOf(orgCode), '', { ...SCOPE, seconds: 0 });
