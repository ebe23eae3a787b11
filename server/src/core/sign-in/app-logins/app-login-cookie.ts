import { SECOND } from '@orchestrate/shared';
import type { Deps } from '../../../deps.ts';
import { type CookieDeps, cookieHeader, readCookie } from '../../../platform/http/callers/cookie.ts';
import type { BegunAppLogin } from './begin-app-login.ts';

/** One per sign-in, so that two that begin at once do not end each other. */
const nameOf = (id: string): string => `app_login_${id}`;

/**
 * A `Set-Cookie` header with the secret of a sign-in. @param path the only path that receives it: where the protocol
 * continues
 */
export function appLoginCookie(deps: CookieDeps & Pick<Deps, 'clock'>, begun: BegunAppLogin, path: string): string {
  const seconds = (begun.expiresAt - deps.clock.now()) / SECOND;
  // Lax: a sign-in is entered by navigating from another site.
  return cookieHeader(deps, nameOf(begun.id), begun.browserSecret, { seconds, path, sameSite: 'lax' });
}

/** A `Set-Cookie` header that deletes it. */
export const noAppLoginCookie = (deps: CookieDeps, id: string, path: string): string =>
  cookieHeader(deps, nameOf(id), '', { seconds: 0, path, sameSite: 'lax' });

/** The secret in a `Cookie` header; '' where there is none. */
export const readAppLoginCookie = (deps: CookieDeps, header: string | undefined, id: string): string =>
  readCookie(deps, header, nameOf(id));
