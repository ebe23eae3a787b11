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

const DAY_MS = 86_400_000;

/**
 * Returns the starts of the last `count` days in a time zone, today last, and the start of tomorrow, in milliseconds.
 * @param timeZone IANA name, e.g. `Europe/Berlin`; UTC if it is unknown
 */
export function localDays(
  timeZone: string,
  now: number,
  count: number,
): { day: string; from: number; until: number }[] {
  const clock = zoneClock(timeZone);
  const localNow = now + offsetAt(clock, now);
  const today = localNow - (localNow % DAY_MS);
  const startOf = (local: number) => {
    // The offset can differ at the start of the day, so compute it there too.
    const near = local - offsetAt(clock, local);
    return local - offsetAt(clock, near);
  };
  return Array.from({ length: count }, (_, nth) => {
    const local = today - (count - 1 - nth) * DAY_MS;
    return { day: isoOf(local).slice(0, 10), from: startOf(local), until: startOf(local + DAY_MS) };
  });
}

function zoneClock(timeZone: string): Intl.DateTimeFormat {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const options = { ...parts, second: '2-digit', hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  }
}

/** Returns how far a zone's clock is ahead of UTC at a moment, in milliseconds. */
function offsetAt(clock: Intl.DateTimeFormat, at: number): number {
  const seconds = at - (((at % 1_000) + 1_000) % 1_000);
  const part = Object.fromEntries(clock.formatToParts(seconds).map(({ type, value }) => [type, Number(value)]));
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - seconds;
}
