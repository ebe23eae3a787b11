import type { IncomingHttpHeaders } from 'node:http';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/** Endpoints that require client authentication. */
const AUTHENTICATED: ReadonlySet<string | undefined> = new Set([
  'token',
  'introspection',
  'revocation',
  'device_authorization',
  'pushed_authorization_request',
]);

/**
 * Corrects two errors for which the library answers `invalid_request`: a grant that isn't available to this type of
 * client (`unauthorized_client`; RFC 6749 §5.2, RFC 8628 §3.2), and a request without credentials (`invalid_client`).
 * Adds the authentication scheme to every 401 (RFC 9110 §15.5.2).
 */
export function correctClientErrors(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    const { body, status } = ctx;
    if (status === 400 && body?.error === 'invalid_request') {
      if (isUnauthorized(ctx.oidc)) ctx.body = { ...body, error: 'unauthorized_client' };
      if (isAnonymous(ctx.headers, ctx.oidc)) {
        ctx.status = 401;
        ctx.body = { ...body, error: 'invalid_client' };
      }
    }
    if (ctx.status === 401 && AUTHENTICATED.has(ctx.oidc?.route) && !ctx.response.get('www-authenticate'))
      ctx.set('www-authenticate', `Basic realm="${provider.issuer}", error="invalid_client"`);
  });
}

/**
 * Returns true if the client isn't allowed to use the requested grant. @param oidc undefined if the request matched
 * none of the library's routes
 */
function isUnauthorized(oidc?: KoaContextWithOIDC['oidc']): boolean {
  const { client, params, route } = oidc ?? {};
  const grantType = route === 'device_authorization' ? DEVICE_CODE : route === 'token' && params?.grant_type;
  return client !== undefined && typeof grantType === 'string' && !client.grantTypeAllowed(grantType);
}

/** Returns true if a request to a client-authenticated endpoint doesn't identify its client. */
function isAnonymous(headers: IncomingHttpHeaders, oidc?: KoaContextWithOIDC['oidc']): boolean {
  const { body, route } = oidc ?? {};
  if (!AUTHENTICATED.has(route) || headers.authorization !== undefined) return false;
  return body !== undefined && !body.client_id && !body.client_assertion;
}
