import { formatDuration } from '#lib/format/numbers.ts';

/** Formats minutes as `1 day 12 hours` or `45 minutes`; empty unless the number is a positive integer. */
export const minutesText = (minutes: number): string =>
  Number.isInteger(minutes) && minutes > 0 ? formatDuration(minutes * 60) : '';
