import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OidcServing } from '../provider/serving.ts';
import { PAGE_HEADERS } from './send-page.ts';

/**
 * Lets a provider answer a request of which nothing has been read yet.
 * @param mount the provider's path, e.g. `/oidc/acme`
 */
export async function serveProvider(
  { serve, issuer }: OidcServing,
  mount: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = canonicalUrl((request.url ?? '').slice(mount.length));
  Object.assign(request, { url, originalUrl: `${mount}${url}` });
  pretendIssuerHost(request, issuer);
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
  await serve(request, response);
}

/**
 * Returns the spelling of a URL that the library expects. A client whose issuer ends in a slash requests
 * `{issuer}//.well-known/…` and gets the same document (OpenID Connect Discovery 1.0 §4.3).
 */
const canonicalUrl = (url: string): string =>
  url
    .replace(/^\/+(\.well-known\/[^/?]+)\/*(?=\?|$)/, '/$1')
    // Clients that know only OAuth request this one (RFC 8414 §3).
    .replace(/^\/\.well-known\/oauth-authorization-server(?=\?|$)/, '/.well-known/openid-configuration');

/** Replaces `Host` and forwarding headers, so that URLs in answers have the issuer's host and protocol. */
function pretendIssuerHost({ headers }: IncomingMessage, { host, protocol }: URL): void {
  headers.host = host;
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
  delete headers['x-forwarded-host'];
}
