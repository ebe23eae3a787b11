import { createBrotliDecompress } from 'node:zlib';
import negotiate from '@fastify/accept-negotiator';
import { isUtf8MimeType, mime, send } from '@fastify/send';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Compressed versions that may exist alongside a file, best first, as `Content-Encoding` and file extension. */
const COMPRESSED = { br: '.br', gzip: '.gz' } as const;

/**
 * Sends a file in the best form for the browser: compressed if available, only the requested range, or 304 if
 * unchanged.
 * @param path relative to the folder, with plain characters only
 * @returns true if the file exists. A reply can't be returned, because it is thenable and awaiting it would lose it.
 */
export async function sendFile(
  { raw, headers: { 'accept-encoding': accepted = '' } }: FastifyRequest,
  reply: FastifyReply,
  { folder, path }: { folder: string; path: string },
): Promise<boolean> {
  const left = new Set(Object.keys(COMPRESSED) as (keyof typeof COMPRESSED)[]);
  for (;;) {
    const encoding = negotiate(accepted.toLowerCase(), [...left]);
    const name = encoding ? path + COMPRESSED[encoding] : path;
    const sent = await send(raw, name, { root: folder, index: false, cacheControl: false });
    if (sent.type === 'file') {
      const { statusCode, headers, stream } = sent;
      reply.code(statusCode).headers({ ...headers, 'cache-control': cachingOf(path), vary: 'accept-encoding' });
      if (encoding) reply.headers({ 'content-type': typeOf(path), 'content-encoding': encoding });
      reply.send(stream);
      return true;
    }
    if (sent.type === 'error' && sent.statusCode !== 404) throw sent.metadata.error;
    if (!encoding) return sendUnpacked(raw, reply, { folder, path });
    left.delete(encoding);
  }
}

/** Sends a file that exists only compressed, as in the npm package, to a client that doesn't accept that encoding. */
async function sendUnpacked(
  raw: FastifyRequest['raw'],
  reply: FastifyReply,
  { folder, path }: { folder: string; path: string },
): Promise<boolean> {
  const options = { root: folder, index: false, cacheControl: false, acceptRanges: false } as const;
  const sent = await send(raw, path + COMPRESSED.br, options);
  if (sent.type !== 'file') return false;
  const { statusCode, headers, stream } = sent;
  const { 'Content-Length': _, ...rest } = headers;
  const hasContent = statusCode === 200 && raw.method !== 'HEAD';
  reply.code(statusCode).headers({ ...rest, 'cache-control': cachingOf(path), vary: 'accept-encoding' });
  reply.type(typeOf(path)).send(hasContent ? stream.pipe(createBrotliDecompress()) : stream);
  return true;
}

/**
 * Files under assets/ have a content hash in their name. The icon may be a day old, because browsers request it for
 * every page. They revalidate all others.
 */
function cachingOf(path: string): string {
  if (path.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  return path === 'favicon.svg' ? 'public, max-age=86400' : 'no-cache';
}

function typeOf(path: string): string {
  const type = mime.getType(path) ?? 'application/octet-stream';
  return isUtf8MimeType(type) ? `${type}; charset=utf-8` : type;
}
