import { hash } from 'node:crypto';

/** Converts a logo of a world to the columns of its table. */
export function logoColumns({ contentType, bytes: written }: { contentType: string; bytes: string }) {
  const bytes = Buffer.from(written, 'base64');
  return { contentType, bytes, etag: hash('sha256', bytes, 'base64url').slice(0, 22) };
}
