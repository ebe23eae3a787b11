import { LIMITS } from '@orchestrate/shared';
import type { Provider } from 'oidc-provider';
import { limitChunks } from '#platform/http/requests/bound-body.ts';

/**
 * Stops the library from reading more of a request body than the public limit, by replacing the request's `iterator`.
 * Bodies that announce a length above the limit are refused earlier.
 * No option: the library's own limit of 56 kB is fixed, and it warns about bodies that other code has parsed. Checked
 * with oidc-provider 9.13.3, whose `shared/selective_body.js` reads with `req.iterator()`.
 */
export function boundBodies(provider: Provider): void {
  provider.use((ctx, next) => {
    const { req } = ctx;
    const { iterator } = req;
    const maxBytes = DEVICE_AUTHORIZATION.test(ctx.path) ? LIMITS.authorizationRequestBytes : LIMITS.publicBodyBytes;
    req.iterator = (options) => limitChunks(iterator.call(req, options), maxBytes);
    return next();
  });
}

/**
 * Device authorization requests have a lower size limit, because their parameters are stored until a user enters the
 * code.
 */
const DEVICE_AUTHORIZATION = /^\/device-authorization\/?$/;
