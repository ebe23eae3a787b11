import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Serving } from '../provider/providers.ts';
import { PAGE_POLICY } from './pages.ts';

/** Headers that browsers get with every answer (decision 013). */
export const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  // Lets the library's `form_post` page send its origin.
  'referrer-policy': 'origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * Lets a provider answer a request of which nothing has been read yet.
 * @param mount the provider's path, e.g. `/oidc/acme`
 */
export async function serveProvider(
  { serve, issuer }: Serving,
  mount: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = oneSpelling((request.url ?? '').slice(mount.length));
  Object.assign(request, { url, originalUrl: `${mount}${url}` });
  standAtIssuer(request, issuer);
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
  await serve(request, response);
}

/**
 * The issuer has no slash at its end. A client that was given one asks for `{issuer}//.well-known/…`, and gets the same
 * document; whether it accepts the issuer in there is up to it (OpenID Connect Discovery 1.0 §4.3).
 */
const oneSpelling = (url: string): string =>
  url
    .replace(/^\/+(\.well-known\/[^/?]+)\/*(?=\?|$)/, '/$1')
    // What clients that know only OAuth ask for (RFC 8414 §3).
    .replace(/^\/\.well-known\/oauth-authorization-server(?=\?|$)/, '/.well-known/openid-configuration');

/** Addresses in answers are those of the issuer, whatever a `Host` or forwarding header says. */
function standAtIssuer({ headers }: IncomingMessage, { host, protocol }: URL): void {
  headers.host = host;
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
  delete headers['x-forwarded-host'];
}
