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
    if (!encoding) return false;
    left.delete(encoding);
  }
}

/** Files under assets/ have a content hash in their name. Browsers revalidate all others. */
const cachingOf = (path: string): string =>
  path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';

function typeOf(path: string): string {
  const type = mime.getType(path) ?? 'application/octet-stream';
  return isUtf8MimeType(type) ? `${type}; charset=utf-8` : type;
}
