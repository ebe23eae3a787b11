import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Refusal } from '../../refusal.ts';

type Announced = Pick<IncomingMessage, 'headers'>;

/** Returns true for a chunked body, which has no Content-Length. */
const isChunked = ({ headers }: Announced): boolean => headers['transfer-encoding'] !== undefined;

const announcedBytes = ({ headers }: Announced): number => Number(headers['content-length'] ?? 0);

/** Returns true if a body may be larger than `maxBytes`. */
export const mayBeLarger = (request: Announced, maxBytes: number): boolean =>
  isChunked(request) || announcedBytes(request) > maxBytes;

/**
 * Checks a body's declared size before reading it.
 * @throws Refusal BAD_REQUEST with HTTP 413 if the Content-Length exceeds `maxBytes`
 */
export function requireAnnouncedSize(request: Announced, maxBytes: number): void {
  if (announcedBytes(request) > maxBytes) throw bodyTooLargeRefusal(maxBytes);
}

/**
 * Returns the body. If it has no Content-Length, the stream fails with Refusal BAD_REQUEST once it exceeds
 * `maxBytes`.
 */
export function limitBody<Body extends Readable>(request: Announced, body: Body, maxBytes: number): Body | Readable {
  if (!isChunked(request)) return body;
  // Destroying the stream would close the connection before the response is sent.
  const chunks = body.iterator({ destroyOnReturn: false });
  return Readable.from(limitChunks(chunks, maxBytes), { objectMode: false });
}

/**
 * Reads a body that a library reads later with `iterator()`, up to `maxBytes`. The library then gets the same chunks.
 * @returns undefined if the body is longer
 */
export async function peekBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  const source = request.iterator({ destroyOnReturn: false });
  let bytes = 0;
  let isComplete = false;
  while (!isComplete && bytes <= maxBytes) {
    const { done, value } = await source.next();
    if (done) isComplete = true;
    else {
      chunks.push(value);
      bytes += value.length;
    }
  }
  async function* replay(): AsyncGenerator<Buffer> {
    yield* chunks;
    if (!isComplete) yield* source;
  }
  // A stream that has ended isn't readable, so the library would look for a body that other code has parsed.
  request.iterator = replay;
  Object.defineProperty(request, 'readable', { value: true });
  return isComplete ? Buffer.concat(chunks) : undefined;
}

/**
 * Yields the chunks of a body.
 * @throws Refusal BAD_REQUEST with HTTP 413 once they exceed `maxBytes`
 */
export async function* limitChunks(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw bodyTooLargeRefusal(maxBytes);
    yield chunk;
  }
}

/** Returns a refusal that states the limit: BAD_REQUEST with HTTP 413. @param limit in bytes */
export const bodyTooLargeRefusal = (limit: number): Refusal =>
  new Refusal('BAD_REQUEST', { status: 413, message: `The body must be ${formatSize(limit)} or smaller.` });

const UNITS = [
  [1_048_576, 'MiB'],
  [1024, 'KiB'],
  [1000, 'kB'],
  [1, 'bytes'],
] as const;

/** Formats a size in the largest unit that yields a whole number. */
export function formatSize(bytes: number): string {
  const [size, unit] = UNITS.find(([each]) => bytes % each === 0) ?? [1, 'bytes'];
  return `${bytes / size} ${unit}`;
}
