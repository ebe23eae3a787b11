import type { Deps } from '../deps.ts';

/** The secret of a remembered browser, as its cookie carries it. */
export interface BrowserSecret {
  id: string;
  secret: string;
}

/** One cookie per organisation: a browser may be remembered by several. */
const nameOf = (orgCode: string) => `portal_browser_${orgCode}`;

/** Only signing in gets it; no script can read it, and no other site can have it sent. */
const ATTRIBUTES = 'Path=/api; HttpOnly; SameSite=Strict';

const attributesOf = ({ publicUrl }: Pick<Deps, 'publicUrl'>) =>
  publicUrl.startsWith('https:') ? `${ATTRIBUTES}; Secure` : ATTRIBUTES;

/** What a request's `Cookie` header says of this organisation's browser (RFC 6265 §5.4). */
export function readBrowserCookie(header: string | undefined, orgCode: string): BrowserSecret | undefined {
  const start = `${nameOf(orgCode)}=`;
  const pair = header?.split(';').find((part) => part.trim().startsWith(start));
  const [id = '', secret = '', ...more] = pair?.trim().slice(start.length).split('.') ?? [];
  return id && secret && more.length === 0 ? { id, secret } : undefined;
}

/** A `Set-Cookie` header. @param seconds how long the browser keeps it */
export function browserCookie(
  deps: Pick<Deps, 'publicUrl'>,
  orgCode: string,
  { id, secret }: BrowserSecret,
  seconds: number,
): string {
  return `${nameOf(orgCode)}=${id}.${secret}; Max-Age=${Math.ceil(seconds)}; ${attributesOf(deps)}`;
}

/** A `Set-Cookie` header that takes it away. */
export function noBrowserCookie(deps: Pick<Deps, 'publicUrl'>, orgCode: string): string {
  return `${nameOf(orgCode)}=; Max-Age=0; ${attributesOf(deps)}`;
}
