import { formatDuration } from '#lib/format/numbers.ts';

/** Whole minutes in words: `1 day 12 hours`, `45 minutes`; empty for anything but a positive whole number. */
export const minutesText = (minutes: number): string =>
  Number.isInteger(minutes) && minutes > 0 ? formatDuration(minutes * 60) : '';
