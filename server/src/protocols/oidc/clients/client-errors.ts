import type { IncomingHttpHeaders } from 'node:http';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/** The endpoints at which a client authenticates. */
const AUTHENTICATED: ReadonlySet<string | undefined> = new Set([
  'token',
  'introspection',
  'revocation',
  'device_authorization',
  'pushed_authorization_request',
]);

/**
 * Corrects two errors for which the library answers `invalid_request`: a grant that the client's kind doesn't have
 * (`unauthorized_client`; RFC 6749 §5.2, RFC 8628 §3.2), and a request without credentials (`invalid_client`). Every
 * 401 names the scheme (RFC 9110 §15.5.2).
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

/** @param oidc undefined if the request matched none of the library's routes */
function isUnauthorized(oidc?: KoaContextWithOIDC['oidc']): boolean {
  const { client, params, route } = oidc ?? {};
  const grantType = route === 'device_authorization' ? DEVICE_CODE : route === 'token' && params?.grant_type;
  return client !== undefined && typeof grantType === 'string' && !client.grantTypeAllowed(grantType);
}

/** Returns true if a request to an endpoint for clients doesn't name its client. */
function isAnonymous(headers: IncomingHttpHeaders, oidc?: KoaContextWithOIDC['oidc']): boolean {
  const { body, route } = oidc ?? {};
  if (!AUTHENTICATED.has(route) || headers.authorization !== undefined) return false;
  return body !== undefined && !body.client_id && !body.client_assertion;
}
