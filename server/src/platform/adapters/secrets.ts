import { hash, timingSafeEqual } from 'node:crypto';

/**
 * SHA-256 of a secret as stored in the database, base64url. For tokens, links, codes and cookies of 128 random bits or
 * more, for which a plain hash is as good as a slow one.
 */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url');

/** Whether two secrets are equal, compared in a time that does not reveal how much of them matches. */
export function isSameSecret(given: string, expected: string): boolean {
  const one = Buffer.from(given);
  const other = Buffer.from(expected);
  return one.length === other.length && timingSafeEqual(one, other);
}
