import type { FastifyReply } from 'fastify';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Page } from '#platform/http/answers/plain-page.ts';
import { nameLanguage } from '#platform/http/answers/send-json.ts';
import { languageOf } from '#platform/words/language.ts';
import { PAGE_POLICY } from './pages.ts';

/** Security headers sent with every response (decision 013). */
export const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  // Lets the library's `form_post` page send its origin.
  'referrer-policy': 'origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Headers of responses that the portal sends itself. Caches must not store them. */
export const OWN_HEADERS = { ...PAGE_HEADERS, 'cache-control': 'no-store' };

/** Sends a page of an OpenID provider in the browser’s language, with the headers of the provider’s own responses. */
export function sendOidcPage(reply: FastifyReply, status: number, page: Page): FastifyReply {
  const language = languageOf({ headers: reply.request.headers, caller: null });
  nameLanguage(reply, language);
  return reply.code(status).headers(OWN_HEADERS).type('text/html; charset=utf-8').send(page(language));
}

/** Sends a page through the library, in the browser's language. */
export function sendLibraryPage(ctx: KoaContextWithOIDC, page: Page): void {
  const language = languageOf({ headers: ctx.req.headers, caller: null });
  ctx.vary('Accept-Language');
  ctx.set('Content-Language', language);
  ctx.type = 'html';
  ctx.body = page(language);
}
