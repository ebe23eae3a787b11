import type { Deps } from '../../deps.ts';

const NAME = 'portal_external';
const SECRET = /^[\w-]{43}$/;

/** What tells the browser that began from all others: no script reads it, and no other site's form sends it. */
export function readBrowserSecret(cookies: string | undefined): string | undefined {
  const pair = cookies?.split(';').find((part) => part.trim().startsWith(`${NAME}=`));
  const secret = pair?.trim().slice(NAME.length + 1) ?? '';
  return SECRET.test(secret) ? secret : undefined;
}

/** A `Set-Cookie` header. Lax, for the provider sends the browser back from another site. @param seconds until it is forgotten */
export function browserSecretCookie({ publicUrl }: Pick<Deps, 'publicUrl'>, secret: string, seconds: number): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${NAME}=${secret}; Max-Age=${seconds}; Path=/api/oidc; HttpOnly; SameSite=Lax${secure}`;
}
