import { LIMITS } from '@orchestrate/shared';
import type { Provider } from 'oidc-provider';
import { boundChunks } from '#platform/http/requests/bound-body.ts';

/**
 * Stops the library from reading more of a request body than the public limit, by replacing `iterator` of the request.
 * Bodies that announce their length are refused earlier.
 *
 * No option: the library's own limit of 56 kB is fixed, and it warns about bodies that something else has parsed.
 * Checked with oidc-provider 9.13.3, whose `shared/selective_body.js` reads with `req.iterator()`.
 */
export function boundBodies(provider: Provider): void {
  provider.use((ctx, next) => {
    const { req } = ctx;
    const { iterator } = req;
    const maxBytes = DEVICE_AUTHORIZATION.test(ctx.path) ? LIMITS.authorizationRequestBytes : LIMITS.publicBodyBytes;
    req.iterator = (options) => boundChunks(iterator.call(req, options), maxBytes);
    return next();
  });
}

/** Its parameters are stored until a user enters the code, so the limit is lower. */
const DEVICE_AUTHORIZATION = /^\/device-authorization\/?$/;
