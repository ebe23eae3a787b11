import { DAY, HOUR } from '@orchestrate/shared';

/** Length of the seeded login history, in days. */
export const HISTORY_DAYS = 90;

/**
 * Returns the time that the seed is relative to: the start of the hour of `now` (both in milliseconds). Rows stay the
 * same for a full hour, which lets resets copy them. Except for expiry times, no seeded time is later than `now`.
 */
export function seedTime(now: number): number {
  return now - (now % HOUR);
}

/** Returns midnight UTC of the day that contains `time`. */
export function startOfDay(time: number): number {
  return time - (time % DAY);
}

/** Returns true if `time` is on a weekday, Monday to Friday, in UTC. */
export function isWorkday(time: number): boolean {
  // Day 0 (1 January 1970) was a Thursday, and weekday 0 is Sunday.
  const weekday = (Math.floor(time / DAY) + 4) % 7;
  return weekday !== 0 && weekday !== 6;
}
