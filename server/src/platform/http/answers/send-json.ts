import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Language } from '@orchestrate/shared';
import type { FastifyReply } from 'fastify';
import type { Deps } from '#deps.ts';
import { languageOf } from '../../words/language.ts';
import type { Page } from './plain-page.ts';

/** Headers for data, which must not be cached, framed or interpreted as a page. See `browser-headers.ts` for pages. */
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // Prevents other sites from loading responses as images or scripts (Fetch §3.6). CORS requests are not affected.
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * Sends an API response from a JSON string. @param language language of the messages in the response, if it can
 * contain any
 */
export function sendJson(deps: Deps, reply: FastifyReply, json: string, language?: Language): FastifyReply {
  if (language) nameLanguage(reply, language);
  return dated(deps, reply.headers(HEADERS)).send(json);
}

/** Declares the response language, which depends on the request (RFC 9110 §12.5.5). */
export function nameLanguage(reply: FastifyReply, language: Language): void {
  const others = reply.getHeader('vary');
  reply.headers({
    'content-language': language,
    vary: others === undefined ? 'Accept-Language' : `${String(others)}, Accept-Language`,
  });
}

/**
 * Sets the `Date` header if the lab has set the clock, because devices read the portal's time from it for their
 * signatures. Otherwise Node sets the header.
 */
function dated({ clock }: Deps, reply: FastifyReply): FastifyReply {
  return clock.mode() === 'real' ? reply : reply.header('date', new Date(clock.now()).toUTCString());
}

/** Sends a document other than JSON, in UTF-8. @param fileName file name for downloads: letters, digits, `.` and `-` */
export function sendDocument(
  deps: Deps,
  reply: FastifyReply,
  { type, text, fileName }: { type: string; text: string; fileName: string | undefined },
): FastifyReply {
  if (fileName) reply.header('content-disposition', `attachment; filename="${fileName}"`);
  return dated(deps, reply.headers({ ...HEADERS, 'content-type': `${type}; charset=utf-8` })).send(text);
}

/**
 * Streams a document while it is being generated. Yields to other requests between chunks and stops when the client
 * disconnects.
 */
export function sendDownload(
  deps: Deps,
  reply: FastifyReply,
  { type, chunks, fileName }: { type: string; chunks: Iterable<string>; fileName: string },
): FastifyReply {
  reply.headers({ ...HEADERS, 'content-type': `${type}; charset=utf-8` });
  reply.header('content-disposition', `attachment; filename="${fileName}"`);
  return dated(deps, reply).send(Readable.from(inTurns(deps, chunks), { objectMode: false }));
}

/**
 * Yields chunks and lets other requests run in between. Before a reset, the remaining chunks are read into memory,
 * because their data is about to be replaced.
 */
async function* inTurns({ world }: Deps, chunks: Iterable<string>): AsyncGenerator<string> {
  const unread = eachOf(chunks);
  const rest: string[] = [];
  const stopListening = world.beforeEnd(() => rest.push(...unread));
  try {
    for (const chunk of unread) {
      if (chunk !== '') yield chunk;
      await setImmediate();
    }
    yield rest.join('');
  } finally {
    stopListening();
  }
}

function* eachOf(chunks: Iterable<string>): Generator<string> {
  yield* chunks;
}

/** Sends a page without the client, in the browser's language. @param policy the page's Content-Security-Policy */
export function sendPage(
  deps: Deps,
  reply: FastifyReply,
  { page, policy }: { page: Page; policy: string },
): FastifyReply {
  const own = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    // The form posts to another site, which may check the origin. `no-referrer` would send `Origin: null` (Fetch,
    // "append a request Origin header"), while `origin` reveals nothing but the origin.
    'referrer-policy': 'origin',
  };
  const language = languageOf({ headers: reply.request.headers, caller: null });
  nameLanguage(reply, language);
  return dated(deps, reply.headers({ ...HEADERS, ...own })).send(page(language));
}

/** Redirects a browser. The redirect must not be cached. */
export function sendRedirect(deps: Deps, reply: FastifyReply, location: string): FastifyReply {
  const { 'cache-control': cacheControl, 'referrer-policy': referrerPolicy } = HEADERS;
  reply.headers({ 'cache-control': cacheControl, 'referrer-policy': referrerPolicy });
  return dated(deps, reply).redirect(location, 302);
}
