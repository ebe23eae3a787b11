/**
 * The moment in a field of date and time, as the contract writes one. What is none, such as a year with too many
 * digits, stays as it is: the portal says what is wrong with it.
 */
export function momentIn(field: string): string {
  const moment = new Date(field);
  return Number.isNaN(moment.getTime()) ? field : moment.toISOString();
}
