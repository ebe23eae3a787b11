import type { EventEmitter } from 'node:events';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { bodyTooLarge } from '../../platform/http/requests/body-too-large.ts';
import { FORM_MAX_BYTES } from './form-size.ts';
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
 * Says how much is allowed of a body whose length was not told before (RFC 9110 §15.5.14); one that announces it is
 * refused before the library reads it. Call it before the provider's first request.
 */
export function nameLargeBodies(provider: Provider): void {
  const refuse = (ctx: KoaContextWithOIDC, { cause }: Error) => {
    if (!(cause instanceof Error) || cause.message !== 'request entity too large') return;
    const refusal = { error: 'invalid_request', error_description: bodyTooLarge(FORM_MAX_BYTES).message };
    ctx.status = 413;
    ctx.body = ctx.response.is('html') ? errorPage(refusal) : refusal;
  };
  for (const name of REFUSALS) (provider as EventEmitter).on(name, refuse);
}
