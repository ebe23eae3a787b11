/** A stored time, milliseconds since the epoch, as ISO 8601 in UTC. */
export function isoOf<Time extends number | null>(time: Time): Time extends number ? string : null;
export function isoOf(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
