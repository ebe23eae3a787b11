import type { FastifyReply } from 'fastify';
import type { Deps } from '../deps.ts';

/** For data nobody may keep, frame, or take for a page. What a page may do is said by `pages.ts`. */
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * An answer of the API, as JSON text. While the clock is set, the `Date` header follows it: devices learn the portal's
 * time from there, and sign with it. Otherwise Node writes that header.
 */
export function sendJson({ clock }: Deps, reply: FastifyReply, json: string): FastifyReply {
  reply.headers(HEADERS);
  if (clock.mode() !== 'real') reply.header('date', new Date(clock.now()).toUTCString());
  return reply.send(json);
}

/** Sends a browser elsewhere, once: nobody may keep where to. */
export function sendRedirect({ clock }: Deps, reply: FastifyReply, location: string): FastifyReply {
  const { 'cache-control': cacheControl, 'referrer-policy': referrerPolicy } = HEADERS;
  reply.headers({ 'cache-control': cacheControl, 'referrer-policy': referrerPolicy });
  if (clock.mode() !== 'real') reply.header('date', new Date(clock.now()).toUTCString());
  return reply.redirect(location, 302);
}
