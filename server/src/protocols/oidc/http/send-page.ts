import type { FastifyReply } from 'fastify';
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

/** Sends a page. @param html the whole page, e.g. from `errorPage` */
export const sendPage = (reply: FastifyReply, status: number, html: string): FastifyReply =>
  reply.code(status).headers(OWN_HEADERS).type('text/html; charset=utf-8').send(html);
