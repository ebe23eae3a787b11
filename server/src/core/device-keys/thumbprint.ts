import { createHash } from 'node:crypto';
import type { PublicKey } from '@orchestrate/shared';

/** RFC 7638: SHA-256 over the required members in alphabetical order, as base64url. */
export function thumbprintOf({ crv, kty, x, y }: PublicKey): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}
