import type { IncomingHttpHeaders } from 'node:http';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { z } from 'zod';
import type { Deps } from '#deps.ts';

/** Endpoints that servers call. Browsers are sent to all other endpoints. */
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

const documentFields = z.record(z.string(), z.unknown());

/**
 * If `BACKCHANNEL_URL` is set, uses it in discovery documents for the endpoints that servers call, and `PUBLIC_URL`
 * for the endpoints that browsers are sent to. The issuer is the same for both. A web page that requests the document
 * gets only public URLs, because a browser couldn't reach the internal ones.
 */
export function advertiseBackchannelEndpoints(
  deps: Pick<Deps, 'publicUrl' | 'backchannelUrl'>,
  provider: Provider,
): void {
  provider.use(async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    await next();
    const { publicUrl, backchannelUrl } = deps;
    if (backchannelUrl === null || !ctx.path.startsWith('/.well-known/') || typeof ctx.body !== 'object') return;
    ctx.vary(['Origin', 'Sec-Fetch-Dest']);
    // With `CORS_ORIGINS`, the request's origin was hidden from the library, but the response's CORS header still
    // shows that a page made the request.
    if (isRequestedByPage(ctx.headers) || !['', '*'].includes(ctx.response.get('access-control-allow-origin'))) return;
    const { data: document } = documentFields.safeParse(ctx.body);
    if (!document) return;
    for (const name of CALLED_BY_SERVERS) {
      const url = document[name];
      if (typeof url === 'string') document[name] = backchannelUrl + url.slice(publicUrl.length);
    }
    ctx.body = document;
  });
}

/**
 * Returns true if a web page made the request: pages of other sites send an Origin header, our own pages
 * `Sec-Fetch-Dest: empty`.
 */
export const isRequestedByPage = (headers: IncomingHttpHeaders): boolean =>
  Boolean(headers.origin) || headers['sec-fetch-dest'] === 'empty';
