declare const timeline: unique symbol;

/** Milliseconds since the epoch on one timeline. The compiler rejects a time from another timeline. */
type TimeOn<Timeline extends string> = number & { readonly [timeline]: { readonly [Name in Timeline]: true } };

/** Time by the portal's clock, which the lab can set. The database stores it as a plain number. */
export type PortalTime = TimeOn<'portal'>;
/** Time by the machine's clock, which libraries read themselves. */
export type MachineTime = TimeOn<'machine'>;
/** Time as other programs see it: in tokens, assertions and signatures. */
export type ExternalTime = TimeOn<'external'>;

/** Marks a stored time as portal time. The compiler rejects a time that already has a timeline. */
export const portalTime = (milliseconds: number & { readonly [timeline]?: never }): PortalTime =>
  milliseconds as number as PortalTime;

/** Returns a time plus some milliseconds, on the same timeline. */
export const later = <Time extends PortalTime | MachineTime | ExternalTime>(time: Time, milliseconds: number): Time =>
  (time + milliseconds) as Time;

/** Formats a stored time, in milliseconds since the epoch, as ISO 8601 in UTC. */
export function isoOf<Time extends number | null>(time: Time): Time extends number ? string : null;
export function isoOf(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** Formats a duration in words, e.g. `40 seconds`, `3 minutes` or `8 hours`. */
export function durationInWords(seconds: number): string {
  if (seconds === 60) return '1 minute';
  if (seconds < 100) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** Returns the error message for a client that can retry after this many seconds. */
export const tooManyRequestsMessage = (seconds: number): string =>
  `Too many requests. Try again in ${durationInWords(seconds)}.`;
