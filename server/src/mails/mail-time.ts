const format = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** A time for people who may be anywhere, e.g. `05 Jan 2026, 14:30 UTC`. */
export const mailTime = (time: number): string => `${format.format(time)} UTC`;
