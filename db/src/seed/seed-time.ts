import { DAY, HOUR } from '@orchestrate/shared';

/** How far back the seeded login history goes, in days. */
export const HISTORY_DAYS = 90;

/**
 * The moment for which the seed is made: the full hour before `now` (both in milliseconds). The rows are the same for a
 * whole hour, so that a reset can copy them. Nothing in them is later than `now`, except expiry times.
 */
export function seedTime(now: number): number {
  return now - (now % HOUR);
}

/** Midnight (UTC) of the day of `time`. */
export function startOfDay(time: number): number {
  return time - (time % DAY);
}

/** Monday to Friday, of the UTC day of `time`. */
export function isWorkday(time: number): boolean {
  // 1 January 1970 was a Thursday; 0 is Sunday.
  const weekday = (Math.floor(time / DAY) + 4) % 7;
  return weekday !== 0 && weekday !== 6;
}
