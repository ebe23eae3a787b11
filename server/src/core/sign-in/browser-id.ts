import { DAY, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import { type CookieDeps, cookieHeader, readCookie } from '#platform/http/callers/cookie.ts';

/**
 * Lifetime of the cookie and of all data stored for a browser, in milliseconds. Equals the lifetime of an OpenID
 * session.
 */
export const BROWSER_LIFETIME = 30 * DAY;

const NAME = 'browser_id';
/** Lax, because applications and providers on other sites redirect the browser to the portal. */
const SCOPE = { path: '/', sameSite: 'lax' } as const;
const SECRET = /^[\w-]{43}$/;

/** The browser that sent a request. */
export interface IdentifiedBrowser {
  /** Database key of the browser: SHA-256 of the cookie value, base64url. */
  browser: string;
  /** `Set-Cookie` header. */
  cookie: string;
}

/**
 * Identifies the browser that sent a request, and sets or renews its cookie. The cookie doesn't authenticate anyone.
 * It binds each interaction (a sign-in to an application or through a provider, a logout) to the browser that started
 * it (RFC 9700 §4.7), and links all sign-ins in one browser, so they can end together.
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

/** Returns the database key of the browser, or undefined if the request has no cookie. */
export function browserOf(deps: CookieDeps, header: string | undefined): string | undefined {
  const secret = readSecret(deps, header);
  return secret && hashSecret(secret);
}

function readSecret(deps: CookieDeps, header: string | undefined): string | undefined {
  const value = readCookie(deps, header, NAME, SCOPE.path);
  return SECRET.test(value) ? value : undefined;
}
