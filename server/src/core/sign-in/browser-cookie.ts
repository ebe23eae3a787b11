import type { Deps } from '../../deps.ts';
import { cookieHeader, readCookie } from '../../platform/http/cookie.ts';

/** The secret of a remembered browser, as its cookie carries it. */
export interface BrowserSecret {
  id: string;
  secret: string;
}

/** One cookie per organisation: a browser may be remembered by several. */
const nameOf = (orgCode: string) => `portal_browser_${orgCode}`;

/** Only signing in gets it, and no other site can have it sent. */
const SCOPE = { path: '/api', sameSite: 'Strict' } as const;

/** What a request's `Cookie` header says of this organisation's browser. */
export function readBrowserCookie(
  deps: Pick<Deps, 'publicUrl'>,
  header: string | undefined,
  orgCode: string,
): BrowserSecret | undefined {
  const [id = '', secret = '', ...more] = readCookie(deps, header, nameOf(orgCode)).split('.');
  return id && secret && more.length === 0 ? { id, secret } : undefined;
}

/** A `Set-Cookie` header. @param seconds how long the browser keeps it */
export const browserCookie = (
  deps: Pick<Deps, 'publicUrl'>,
  orgCode: string,
  { id, secret }: BrowserSecret,
  seconds: number,
): string => cookieHeader(deps, nameOf(orgCode), `${id}.${secret}`, { ...SCOPE, seconds });

/** A `Set-Cookie` header that takes it away. */
export const noBrowserCookie = (deps: Pick<Deps, 'publicUrl'>, orgCode: string): string =>
  cookieHeader(deps, nameOf(orgCode), '', { ...SCOPE, seconds: 0 });
