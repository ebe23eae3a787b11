import { DAY, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import { type CookieDeps, cookieHeader, readCookie } from '#platform/http/callers/cookie.ts';

/** Lifetime of the cookie and of data stored for a browser, in milliseconds. Equals that of an OpenID session. */
export const BROWSER_LIFETIME = 30 * DAY;

const NAME = 'browser_id';
/** Lax: applications and providers of other sites send the browser here. */
const SCOPE = { path: '/', sameSite: 'lax' } as const;
const SECRET = /^[\w-]{43}$/;

/** The browser of a request. */
export interface IdentifiedBrowser {
  /** Key of the browser in the database: SHA-256 of the cookie's value, base64url. */
  browser: string;
  /** A `Set-Cookie` header. */
  cookie: string;
}

/**
 * Identifies the browser of a request, and sets a cookie if it has none. The cookie signs no one in. It binds each
 * interaction (a sign-in to an application or through a provider, a logout) to the browser that started it (RFC 9700
 * §4.7), and joins the sign-ins of one browser, so that they can end together.
 * @param header the request's `Cookie` header
 */
export function identifyBrowser(
  deps: CookieDeps & Pick<Deps, 'random'>,
  header: string | undefined,
): IdentifiedBrowser {
  const secret = readSecret(deps, header) ?? deps.random.secret();
  const seconds = BROWSER_LIFETIME / SECOND;
  return { browser: hashSecret(secret), cookie: cookieHeader(deps, NAME, secret, { ...SCOPE, seconds }) };
}

/** Returns the browser's key in the database, or undefined if the request has no cookie. */
export function browserOf(deps: CookieDeps, header: string | undefined): string | undefined {
  const secret = readSecret(deps, header);
  return secret && hashSecret(secret);
}

function readSecret(deps: CookieDeps, header: string | undefined): string | undefined {
  const value = readCookie(deps, header, NAME, SCOPE.path);
  return SECRET.test(value) ? value : undefined;
}
