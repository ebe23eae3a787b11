/** A stored time, milliseconds since the epoch, as ISO 8601 in UTC. */
export function isoOf<Time extends number | null>(time: Time): Time extends number ? string : null;
export function isoOf(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** A duration in words, e.g. `40 seconds`, `3 minutes` or `8 hours`. */
export function inWords(seconds: number): string {
  if (seconds === 60) return '1 minute';
  if (seconds < 100) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** What a caller is told who may ask again after this many seconds. */
export const tooManyRequests = (seconds: number): string => `Too many requests. Try again in ${inWords(seconds)}.`;
