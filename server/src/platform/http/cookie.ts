import type { Deps } from '../../deps.ts';

export interface CookieOptions {
  /** Whole seconds until the browser forgets it; 0 deletes it at once. */
  seconds: number;
  /** It is sent only below this path. */
  path: string;
  /** `Lax` if a navigation from another site must send it. */
  sameSite: 'Strict' | 'Lax';
}

const isSecure = ({ publicUrl }: Pick<Deps, 'publicUrl'>): boolean => publicUrl.startsWith('https:');

/** Behind https the name's prefix guarantees that no insecure neighbour can set it (RFC 6265bis §4.1.3.1). */
const nameOf = (deps: Pick<Deps, 'publicUrl'>, name: string): string => (isSecure(deps) ? `__Secure-${name}` : name);

/** A `Set-Cookie` header. No script can read the cookie. */
export function cookieHeader(
  deps: Pick<Deps, 'publicUrl'>,
  name: string,
  value: string,
  { seconds, path, sameSite }: CookieOptions,
): string {
  const secure = isSecure(deps) ? '; Secure' : '';
  return `${nameOf(deps, name)}=${value}; Max-Age=${Math.ceil(seconds)}; Path=${path}; HttpOnly; SameSite=${sameSite}${secure}`;
}

/** The value of a cookie in a request's `Cookie` header (RFC 6265 §5.4); '' where there is none. */
export function readCookie(deps: Pick<Deps, 'publicUrl'>, header: string | undefined, name: string): string {
  const start = `${nameOf(deps, name)}=`;
  const pair = header?.split(';').find((part) => part.trim().startsWith(start));
  return pair?.trim().slice(start.length) ?? '';
}
