import { SECOND } from '@orchestrate/shared';
import type { Deps } from '../deps.ts';
import type { BegunAppLogin } from './begin-app-login.ts';

/** One per sign-in, so that two that are begun at once do not end each other. */
const nameOf = (id: string): string => `app_login_${id}`;

const attributesOf = ({ publicUrl }: Pick<Deps, 'publicUrl'>, path: string): string =>
  // Lax: the way into a sign-in is a navigation from another site.
  `Path=${path}; HttpOnly; SameSite=Lax${publicUrl.startsWith('https:') ? '; Secure' : ''}`;

/** A `Set-Cookie` header with the secret of a sign-in. @param path which alone gets it: where the protocol goes on */
export function appLoginCookie(deps: Pick<Deps, 'publicUrl' | 'clock'>, begun: BegunAppLogin, path: string): string {
  const seconds = Math.ceil((begun.expiresAt - deps.clock.now()) / SECOND);
  return `${nameOf(begun.id)}=${begun.browserSecret}; Max-Age=${seconds}; ${attributesOf(deps, path)}`;
}

/** A `Set-Cookie` header that takes it away. */
export const noAppLoginCookie = (deps: Pick<Deps, 'publicUrl'>, id: string, path: string): string =>
  `${nameOf(id)}=; Max-Age=0; ${attributesOf(deps, path)}`;

/** The secret in a `Cookie` header (RFC 6265 §5.4); '' where there is none. */
export function readAppLoginCookie(header: string | undefined, id: string): string {
  const start = `${nameOf(id)}=`;
  const pair = header?.split(';').find((part) => part.trim().startsWith(start));
  return pair?.trim().slice(start.length) ?? '';
}
