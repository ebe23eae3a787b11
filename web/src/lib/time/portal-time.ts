import { now } from '#adapters/clock.ts';

let ahead = 0;

/** Updates the offset of the portal's clock from a response's `Date` header (RFC 9110 §6.6.1). */
export function learnPortalTime(headers: Headers): void {
  const date = Date.parse(headers.get('date') ?? '');
  if (!Number.isNaN(date)) ahead = date - now();
}

/** Returns the portal's time in Unix milliseconds, to the second; this browser's own before the first response. */
export const portalNow = (): number => now() + ahead;
