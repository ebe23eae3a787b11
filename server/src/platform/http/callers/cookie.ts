import { parseCookie, stringifySetCookie } from 'cookie';
import type { Config } from '../../../config.ts';
import type { Deps } from '../../../deps.ts';

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
 * neighbour can set it (RFC 6265bis §4.1.3.1).
 */
const nameOf = (deps: CookieDeps, name: string): string =>
  `${isSecure(deps) ? '__Secure-' : ''}${deps.config.cookiePrefix}${name}`;

/** A `Set-Cookie` header. No script can read the cookie. */
export function cookieHeader(
  deps: CookieDeps,
  name: string,
  value: string,
  { seconds, path, sameSite }: CookieOptions,
): string {
  return stringifySetCookie({
    name: nameOf(deps, name),
    value,
    maxAge: Math.ceil(seconds),
    path,
    httpOnly: true,
    sameSite,
    secure: isSecure(deps),
  });
}

/** The value of a cookie in a request's `Cookie` header (RFC 6265 §5.4); '' where there is none. */
export function readCookie(deps: CookieDeps, header: string | undefined, name: string): string {
  return parseCookie(header ?? '')[nameOf(deps, name)] ?? '';
}
