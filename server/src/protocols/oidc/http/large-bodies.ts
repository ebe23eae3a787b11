import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { boundChunks } from '#platform/http/requests/bound-body.ts';
import { Refusal } from '#platform/refusal.ts';
import { errorPage } from './pages.ts';

/** What the library tells of the endpoints that read a form. */
const REFUSALS = [
  'grant.error',
  'introspection.error',
  'revocation.error',
  'device_authorization.error',
  'pushed_authorization_request.error',
  'userinfo.error',
  'code_verification.error',
  'end_session_confirm.error',
] as const;

/**
 * Lets the library read no more of a request than the public limit, which is lower than its own. A body that announces
 * its length is refused before. Call it before the library answers.
 */
export function boundLibraryBody(request: IncomingMessage, maxBytes: number): void {
  const { iterator } = request;
  request.iterator = (options) => boundChunks(iterator.call(request, options), maxBytes);
}

/**
 * Reports how much is allowed where the length was not announced (RFC 9110 §15.5.14). Call it before the provider's
 * first request.
 */
export function nameLargeBodies(provider: Provider): void {
  const refuse = (ctx: KoaContextWithOIDC, { cause }: Error) => {
    if (!(cause instanceof Refusal)) return;
    const refusal = { error: 'invalid_request', error_description: cause.message };
    ctx.status = 413;
    ctx.body = ctx.response.is('html') ? errorPage(refusal) : refusal;
  };
  for (const name of REFUSALS) (provider as EventEmitter).on(name, refuse);
}
