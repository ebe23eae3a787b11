import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { bodyTooLarge } from './body-too-large.ts';

type Announced = Pick<IncomingMessage, 'headers'>;

/** A body that is sent in chunks does not announce its length. */
const isChunked = ({ headers }: Announced): boolean => headers['transfer-encoding'] !== undefined;

const announcedBytes = ({ headers }: Announced): number => Number(headers['content-length'] ?? 0);

/** Whether a body may turn out to be larger than `maxBytes`. */
export const mayBeLarger = (request: Announced, maxBytes: number): boolean =>
  isChunked(request) || announcedBytes(request) > maxBytes;

/** @throws Refusal BAD_REQUEST with 413 for a body that announces more than `maxBytes` */
export function requireAnnouncedSize(request: Announced, maxBytes: number): void {
  if (announcedBytes(request) > maxBytes) throw bodyTooLarge(maxBytes);
}

/** The same body; if its length is not announced, it fails with Refusal BAD_REQUEST after more than `maxBytes`. */
export function boundBody<Body extends Readable>(request: Announced, body: Body, maxBytes: number): Body | Readable {
  if (!isChunked(request)) return body;
  // To destroy it would close the connection before the answer.
  const chunks = body.iterator({ destroyOnReturn: false });
  return Readable.from(boundChunks(chunks, maxBytes), { objectMode: false });
}

/** @throws Refusal BAD_REQUEST with 413 after more than `maxBytes` */
export async function* boundChunks(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw bodyTooLarge(maxBytes);
    yield chunk;
  }
}
