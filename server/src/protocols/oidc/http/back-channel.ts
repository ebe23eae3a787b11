import type { IncomingHttpHeaders } from 'node:http';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Deps } from '#deps.ts';

/** What servers call; browsers are sent to all other endpoints. */
const CALLED_BY_SERVERS = [
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'introspection_endpoint',
  'revocation_endpoint',
  'device_authorization_endpoint',
  'pushed_authorization_request_endpoint',
  'registration_endpoint',
] as const;

/**
 * Where `BACKCHANNEL_URL` is set, discovery names the endpoints that servers call under it, and those that browsers
 * are sent to under `PUBLIC_URL`. The issuer is one, whichever name was asked. A page that asks is a browser for all of
 * them: it gets addresses that it can reach.
 */
export function nameBackChannel(deps: Deps, provider: Provider): void {
  const { prototype } = provider.OIDCContext;
  const { clientJwtAuthExpectedAudience: audience } = prototype;
  // A client that signs for itself may name an endpoint as it knows it.
  prototype.clientJwtAuthExpectedAudience = function underBothNames() {
    const { publicUrl, backchannelUrl } = deps;
    const known = [...audience.call(this)];
    const behind = backchannelUrl === null ? [] : known.map((url) => backchannelUrl + url.slice(publicUrl.length));
    return new Set([...known, ...behind]);
  };

  provider.use(async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    await next();
    const { publicUrl, backchannelUrl } = deps;
    if (backchannelUrl === null || !ctx.path.startsWith('/.well-known/') || typeof ctx.body !== 'object') return;
    ctx.vary(['Origin', 'Sec-Fetch-Dest']);
    // `CORS_ORIGINS` has moved the origin of a page to the answer.
    if (isAskedByPage(ctx.headers) || !['', '*'].includes(ctx.response.get('access-control-allow-origin'))) return;
    const document = { ...ctx.body };
    for (const name of CALLED_BY_SERVERS) {
      const address: unknown = Reflect.get(document, name);
      if (typeof address === 'string') Reflect.set(document, name, backchannelUrl + address.slice(publicUrl.length));
    }
    ctx.body = document;
  });
}

/** A page elsewhere has an origin; one of our own says that it fetches. */
export const isAskedByPage = (headers: IncomingHttpHeaders): boolean =>
  Boolean(headers.origin) || headers['sec-fetch-dest'] === 'empty';
