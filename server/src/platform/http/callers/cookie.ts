import { parseCookie, stringifySetCookie } from 'cookie';
import type { Config } from '#config.ts';
import type { Deps } from '#deps.ts';

export interface CookieOptions {
  /** Lifetime in whole seconds; 0 deletes the cookie immediately. */
  seconds: number;
  /** Path below which browsers send the cookie. */
  path: string;
  /** `lax` if browsers must send the cookie on navigation from another site. */
  sameSite: 'strict' | 'lax';
}

/** Dependencies for reading and writing cookies. */
export type CookieDeps = Pick<Deps, 'publicUrl'> & { config: Pick<Config, 'cookiePrefix'> };

const isSecure = ({ publicUrl }: CookieDeps): boolean => publicUrl.startsWith('https:');

/**
 * Returns the full cookie name. Ports of a host share cookies, so each space uses different names. Over HTTPS, the
 * name's prefix prevents insecure hosts of the domain from setting the cookie. If the cookie is origin-wide, the
 * prefix prevents all other hosts from setting it (RFC 6265bis §4.1.3).
 */
function nameOf(deps: CookieDeps, name: string, path?: string): string {
  const prefix = path === '/' ? '__Host-' : '__Secure-';
  return `${isSecure(deps) ? prefix : ''}${deps.config.cookiePrefix}${name}`;
}

/** Returns a `Set-Cookie` header for a cookie that scripts can't read. */
export function cookieHeader(
  deps: CookieDeps,
  name: string,
  value: string,
  { seconds, path, sameSite }: CookieOptions,
): string {
  return stringifySetCookie({
    name: nameOf(deps, name, path),
    value,
    maxAge: Math.ceil(seconds),
    path,
    httpOnly: true,
    sameSite,
    secure: isSecure(deps),
  });
}

/**
 * Returns a cookie from a `Cookie` header (RFC 6265 §5.4), or '' if it is missing. @param path `/` for an origin-wide
 * cookie
 */
export function readCookie(deps: CookieDeps, header: string | undefined, name: string, path?: '/'): string {
  return parseCookie(header ?? '')[nameOf(deps, name, path)] ?? '';
}
