import { now } from '#adapters/browser.ts';

let ahead = 0;

/**
 * Updates the offset between the portal's clock and this browser's, using a response's `Date` header (RFC 9110
 * §6.6.1).
 */
export function learnPortalTime(headers: Headers): void {
  const date = Date.parse(headers.get('date') ?? '');
  if (!Number.isNaN(date)) ahead = date - now();
}

/**
 * Returns the portal's time in Unix milliseconds, accurate to the second. Before the first response, returns this
 * browser's time.
 */
export const portalNow = (): number => now() + ahead;
