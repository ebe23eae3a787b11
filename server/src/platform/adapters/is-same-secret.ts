import { timingSafeEqual } from 'node:crypto';

/** Whether two secrets are equal, compared in a time that does not reveal how much of them matches. */
export function isSameSecret(given: string, expected: string): boolean {
  const one = Buffer.from(given);
  const other = Buffer.from(expected);
  return one.length === other.length && timingSafeEqual(one, other);
}
