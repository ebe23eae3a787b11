import type { EventEmitter } from 'node:events';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { readBodies } from '#platform/http/requests/read-bodies.ts';
import { Refusal } from '#platform/refusal.ts';
import { errorPage } from './pages.ts';

/** Completes the headers of every answer, and keeps the body that was read for the journal. */
export function completeResponses(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    // RFC 6749 §5.1, for caches that know only HTTP/1.0.
    if (ctx.response.get('cache-control') === 'no-store') ctx.set('pragma', 'no-cache');
    // An empty answer has no type: some clients reject one that they don't expect (RFC 7009 §2.2).
    if (ctx.body === '') ctx.remove('content-type');
    if (ctx.oidc?.body) readBodies.set(ctx.req, ctx.oidc.body);
    // Pages contain per-browser forms and personal data, so they must not be cached.
    if (ctx.response.is('html') && !ctx.response.get('cache-control')) ctx.set('cache-control', 'no-store');
    // Endpoints that pages can read ignore cookies, but for pages that send them (`credentials: 'include'`) browsers
    // require this header.
    if (ctx.headers.origin && ctx.response.get('access-control-allow-origin')) {
      ctx.set('access-control-allow-credentials', 'true');
    }
  });
}

/** The library's events for failures of endpoints that read a form. */
const ERROR_EVENTS = [
  'grant.error',
  'introspection.error',
  'revocation.error',
  'device_authorization.error',
  'pushed_authorization_request.error',
  'userinfo.error',
  'code_verification.error',
  'end_session_confirm.error',
] as const;

/** Answers 413 with the limit if a body without a length was too large (RFC 9110 §15.5.14): see `boundBodies`. */
export function reportLargeBodies(provider: Provider): void {
  const refuse = (ctx: KoaContextWithOIDC, { cause }: Error) => {
    if (!(cause instanceof Refusal)) return;
    const refusal = { error: 'invalid_request', error_description: cause.message };
    ctx.status = 413;
    ctx.body = ctx.response.is('html') ? errorPage(refusal) : refusal;
  };
  for (const name of ERROR_EVENTS) (provider as EventEmitter).on(name, refuse);
}
