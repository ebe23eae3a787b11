import { DAY, HOUR } from '@orchestrate/shared';

/** Length of the seeded login history, in days. */
export const HISTORY_DAYS = 90;

/**
 * Returns the time that the seed is relative to: the full hour before `now` (both in milliseconds). The rows are the
 * same for a whole hour, so that a reset can copy them. No time in them is later than `now`, except expiry times.
 */
export function seedTime(now: number): number {
  return now - (now % HOUR);
}

/** Returns midnight (UTC) of the day of `time`. */
export function startOfDay(time: number): number {
  return time - (time % DAY);
}

/** Returns whether the UTC day of `time` is a Monday to Friday. */
export function isWorkday(time: number): boolean {
  // 1 January 1970 was a Thursday; 0 is Sunday.
  const weekday = (Math.floor(time / DAY) + 4) % 7;
  return weekday !== 0 && weekday !== 6;
}
