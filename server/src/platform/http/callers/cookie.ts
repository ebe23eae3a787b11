import { parseCookie, stringifySetCookie } from 'cookie';
import type { Config } from '#config.ts';
import type { Deps } from '#deps.ts';

export interface CookieOptions {
  /** Whole seconds until the browser forgets it; 0 deletes it immediately. */
  seconds: number;
  /** It is sent only below this path. */
  path: string;
  /** `lax` if a navigation from another site must send it. */
  sameSite: 'strict' | 'lax';
}

/** What a cookie depends on. */
export type CookieDeps = Pick<Deps, 'publicUrl'> & { config: Pick<Config, 'cookiePrefix'> };

const isSecure = ({ publicUrl }: CookieDeps): boolean => publicUrl.startsWith('https:');

/**
 * Ports share cookies, so each space has names of its own. Behind https the name's prefix guarantees that no insecure
 * neighbour can set it and, for a cookie of the whole origin, no other host of the domain either (RFC 6265bis §4.1.3).
 */
function nameOf(deps: CookieDeps, name: string, path?: string): string {
  const prefix = path === '/' ? '__Host-' : '__Secure-';
  return `${isSecure(deps) ? prefix : ''}${deps.config.cookiePrefix}${name}`;
}

/** A `Set-Cookie` header. No script can read the cookie. */
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
 * The value of a cookie in a request's `Cookie` header (RFC 6265 §5.4); '' where there is none. @param path `/` for a
 * cookie of the whole origin
 */
export function readCookie(deps: CookieDeps, header: string | undefined, name: string, path?: '/'): string {
  return parseCookie(header ?? '')[nameOf(deps, name, path)] ?? '';
}
