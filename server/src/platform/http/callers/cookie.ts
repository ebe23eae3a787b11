import { parseCookie, stringifySetCookie } from 'cookie';
import type { Config } from '#config.ts';
import type { Deps } from '#deps.ts';

export interface CookieOptions {
  /** Lifetime in whole seconds; 0 deletes the cookie immediately. */
  seconds: number;
  /** Path below which browsers send it. */
  path: string;
  /** `lax` if browsers must send it on navigation from another site. */
  sameSite: 'strict' | 'lax';
}

/** The dependencies of cookies. */
export type CookieDeps = Pick<Deps, 'publicUrl'> & { config: Pick<Config, 'cookiePrefix'> };

const isSecure = ({ publicUrl }: CookieDeps): boolean => publicUrl.startsWith('https:');

/**
 * Returns the full name. Ports share cookies, so each space has its own names. Behind https, the prefix guarantees that
 * no insecure host of the domain can set it and, for a cookie of the whole origin, no other host (RFC 6265bis §4.1.3).
 */
function nameOf(deps: CookieDeps, name: string, path?: string): string {
  const prefix = path === '/' ? '__Host-' : '__Secure-';
  return `${isSecure(deps) ? prefix : ''}${deps.config.cookiePrefix}${name}`;
}

/** Returns a `Set-Cookie` header. Scripts can't read the cookie. */
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
 * Reads a cookie from a `Cookie` header (RFC 6265 §5.4); '' if there is none. @param path `/` for a cookie of the whole
 * origin
 */
export function readCookie(deps: CookieDeps, header: string | undefined, name: string, path?: '/'): string {
  return parseCookie(header ?? '')[nameOf(deps, name, path)] ?? '';
}
