import type { KoaContextWithOIDC, Provider } from 'oidc-provider';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * Tells a client that asks for a grant which its kind does not have so by the code that says it (RFC 6749 §5.2, RFC 8628
 * §3.2): the library says `invalid_request`, as it does of a parameter that is missing. Call it before the provider's
 * first request.
 */
export function nameUnauthorizedClients(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    const { body } = ctx;
    if (body?.error === 'invalid_request' && isUnauthorized(ctx.oidc))
      ctx.body = { ...body, error: 'unauthorized_client' };
  });
}

/** @param about undefined where the library does not answer */
function isUnauthorized(about?: KoaContextWithOIDC['oidc']): boolean {
  const { client, params, route } = about ?? {};
  const asked = route === 'device_authorization' ? DEVICE_CODE : route === 'token' && params?.grant_type;
  return client !== undefined && typeof asked === 'string' && !client.grantTypeAllowed(asked);
}
