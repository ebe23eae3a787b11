import type { FastifyReply } from 'fastify';
import { PAGE_POLICY } from './pages.ts';

/** Headers of every answer, for browsers (decision 013). */
export const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  // Lets the library's `form_post` page send its origin.
  'referrer-policy': 'origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Headers of answers that don't come from the library; no cache may store them. */
export const OWN_HEADERS = { ...PAGE_HEADERS, 'cache-control': 'no-store' };

/** @param html the whole page, such as an `errorPage` */
export const sendPage = (reply: FastifyReply, status: number, html: string): FastifyReply =>
  reply.code(status).headers(OWN_HEADERS).type('text/html; charset=utf-8').send(html);
