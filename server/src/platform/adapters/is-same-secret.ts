import { timingSafeEqual } from 'node:crypto';

/** Whether two secrets are the same, in a time that does not say how far they agree. */
export function isSameSecret(given: string, expected: string): boolean {
  const one = Buffer.from(given);
  const other = Buffer.from(expected);
  return one.length === other.length && timingSafeEqual(one, other);
}
