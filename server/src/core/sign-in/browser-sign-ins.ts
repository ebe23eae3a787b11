import { DAY, SECOND } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { hashSecret } from '../../platform/adapters/hash-secret.ts';
import { type CookieDeps, cookieHeader, readCookie } from '../../platform/http/callers/cookie.ts';

/** As long as a session of OpenID Connect is kept. */
const KEPT_SECONDS = (30 * DAY) / SECOND;

const nameOf = (orgCode: string) => `portal_sign_ins_${orgCode}`;

/**
 * What joins the sign-ins that one browser makes at applications and at the portal, so that they can be ended together
 * (decision 178). It proves nothing and lets nobody in.
 */
export interface BrowserSignIns {
  /** SHA-256 of the cookie's value, as the rows of sign-ins name the browser. */
  browser: string;
  /** A `Set-Cookie` header. */
  cookie: string;
}

/** @param header the request's `Cookie` */
export function browserSignIns(
  deps: CookieDeps & Pick<Deps, 'random'>,
  header: string | undefined,
  orgCode: string,
): BrowserSignIns {
  const secret = readCookie(deps, header, nameOf(orgCode)) || deps.random.secret();
  return {
    browser: hashSecret(secret),
    // Sent only to the API, where people sign in, and never on requests from other sites.
    cookie: cookieHeader(deps, nameOf(orgCode), secret, { seconds: KEPT_SECONDS, path: '/api', sameSite: 'strict' }),
  };
}
