import { now } from '#adapters/clock.ts';

let ahead = 0;

/** Learns from an answer's `Date` header (RFC 9110 §6.6.1) how far the portal's clock is ahead of this browser's. */
export function learnPortalTime(headers: Headers): void {
  const date = Date.parse(headers.get('date') ?? '');
  if (!Number.isNaN(date)) ahead = date - now();
}

/** The portal's time in milliseconds since 1970, to the second; this browser's own before the first answer. */
export const portalNow = (): number => now() + ahead;
