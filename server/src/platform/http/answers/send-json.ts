import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Language } from '@orchestrate/shared';
import type { FastifyReply } from 'fastify';
import type { Deps } from '#deps.ts';

/** Headers for data, which must not be cached, framed or interpreted as a page. For pages, see `browser-headers.ts`. */
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // Prevents other sites from loading responses as images or scripts (Fetch §3.6); doesn't affect CORS requests.
  'cross-origin-resource-policy': 'same-origin',
};

/** Sends an API response as JSON text. @param language of the texts in it, if it can contain any for people */
export function sendJson(deps: Deps, reply: FastifyReply, json: string, language?: Language): FastifyReply {
  if (language) nameLanguage(reply, language);
  return dated(deps, reply.headers(HEADERS)).send(json);
}

/** Other callers get the same answer in another language (RFC 9110 §12.5.5). */
function nameLanguage(reply: FastifyReply, language: Language): void {
  const others = reply.getHeader('vary');
  reply.headers({
    'content-language': language,
    vary: others === undefined ? 'Accept-Language' : `${String(others)}, Accept-Language`,
  });
}

/**
 * Sets the `Date` header while the clock is set, because devices read the portal's time from it for their signatures.
 * Otherwise Node writes the header.
 */
function dated({ clock }: Deps, reply: FastifyReply): FastifyReply {
  return clock.mode() === 'real' ? reply : reply.header('date', new Date(clock.now()).toUTCString());
}

/**
 * Sends a text of another type, in UTF-8. @param fileName name for saving it: letters, digits, `.` and `-`
 */
export function sendDocument(
  deps: Deps,
  reply: FastifyReply,
  { type, text, fileName }: { type: string; text: string; fileName: string | undefined },
): FastifyReply {
  if (fileName) reply.header('content-disposition', `attachment; filename="${fileName}"`);
  return dated(deps, reply.headers({ ...HEADERS, 'content-type': `${type}; charset=utf-8` })).send(text);
}

/**
 * Streams a document while it is generated. Yields to other requests between chunks, and stops when the caller
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

/** Yields chunks in turns with other work. A reset waits until the rest has been read. */
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

/** Sends a page outside the client. @param policy its Content-Security-Policy */
export function sendPage(
  deps: Deps,
  reply: FastifyReply,
  { text, policy }: { text: string; policy: string },
): FastifyReply {
  const own = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    // The form posts to another site, which may check the origin; `no-referrer` would send `Origin: null` (Fetch, "append
    // a request Origin header"). Only the origin is revealed.
    'referrer-policy': 'origin',
  };
  return dated(deps, reply.headers({ ...HEADERS, ...own })).send(text);
}

/** Redirects a browser; the target must not be cached. */
export function sendRedirect(deps: Deps, reply: FastifyReply, location: string): FastifyReply {
  const { 'cache-control': cacheControl, 'referrer-policy': referrerPolicy } = HEADERS;
  reply.headers({ 'cache-control': cacheControl, 'referrer-policy': referrerPolicy });
  return dated(deps, reply).redirect(location, 302);
}
