import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Language } from '@orchestrate/shared';
import type { FastifyReply } from 'fastify';
import type { Deps } from '#deps.ts';

/** For data that must not be cached, framed, or taken for a page. What a page may do: `browser-headers.ts`. */
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // Stops pages of other sites from loading an answer as a picture or a script (Fetch §3.6); CORS requests are not
  // affected.
  'cross-origin-resource-policy': 'same-origin',
};

/** An API answer as JSON text. @param language of the texts in it, if it can contain any for people */
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
 * While the clock is set, the `Date` header follows it: devices learn the portal's time from there, and sign with it.
 * Otherwise Node writes that header.
 */
function dated({ clock }: Deps, reply: FastifyReply): FastifyReply {
  return clock.mode() === 'real' ? reply : reply.header('date', new Date(clock.now()).toUTCString());
}

/**
 * A text of another type, in UTF-8. @param fileName under which a browser saves it; plain letters, digits, `.` and `-`
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
 * The same, sent while it is generated. Other requests get a turn between two chunks; a caller that hangs up stops the
 * generation.
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

/** A standalone page, outside the client. @param policy its Content-Security-Policy */
export function sendPage(
  deps: Deps,
  reply: FastifyReply,
  { text, policy }: { text: string; policy: string },
): FastifyReply {
  const own = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    // Its form posts itself to another site, which may check where it comes from: `no-referrer` would make that
    // `Origin: null` (Fetch, "append a request Origin header"). The origin is all that anybody learns.
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
