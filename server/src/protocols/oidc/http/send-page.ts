import type { FastifyReply } from 'fastify';
import { PAGE_HEADERS } from './serve-provider.ts';

/** Headers of what is answered beside the library, which no cache may keep. */
export const OWN_HEADERS = { ...PAGE_HEADERS, 'cache-control': 'no-store' };

/** @param html the whole page, such as an `errorPage` */
export const sendPage = (reply: FastifyReply, status: number, html: string): FastifyReply =>
  reply.code(status).headers(OWN_HEADERS).type('text/html; charset=utf-8').send(html);
