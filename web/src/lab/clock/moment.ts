/**
 * Converts the value of a date and time field to ISO 8601. Returns invalid values, such as a year with too many digits,
 * unchanged, because the portal validates them.
 */
export function momentIn(field: string): string {
  const moment = new Date(field);
  return Number.isNaN(moment.getTime()) ? field : moment.toISOString();
}
