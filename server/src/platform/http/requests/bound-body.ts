import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { bodyTooLarge } from './body-too-large.ts';

type Announced = Pick<IncomingMessage, 'headers'>;

/** Returns true for a chunked body, which has no Content-Length. */
const isChunked = ({ headers }: Announced): boolean => headers['transfer-encoding'] !== undefined;

const announcedBytes = ({ headers }: Announced): number => Number(headers['content-length'] ?? 0);

/** Returns true if a body may be larger than `maxBytes`. */
export const mayBeLarger = (request: Announced, maxBytes: number): boolean =>
  isChunked(request) || announcedBytes(request) > maxBytes;

/** Throws Refusal BAD_REQUEST with 413 if the Content-Length exceeds `maxBytes`. */
export function requireAnnouncedSize(request: Announced, maxBytes: number): void {
  if (announcedBytes(request) > maxBytes) throw bodyTooLarge(maxBytes);
}

/** Returns the body. Without a Content-Length, it fails with Refusal BAD_REQUEST after more than `maxBytes`. */
export function boundBody<Body extends Readable>(request: Announced, body: Body, maxBytes: number): Body | Readable {
  if (!isChunked(request)) return body;
  // Destroying it would close the connection before the response.
  const chunks = body.iterator({ destroyOnReturn: false });
  return Readable.from(boundChunks(chunks, maxBytes), { objectMode: false });
}

/** Yields the chunks. @throws Refusal BAD_REQUEST with 413 after more than `maxBytes` */
export async function* boundChunks(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw bodyTooLarge(maxBytes);
    yield chunk;
  }
}
