/** The portal's time as this device knows it. */
export interface PortalClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Learns the time from an answer or message of the portal; ignores anything unreadable. */
  learn(time: string | null): void;
}

// The Date header has whole seconds (RFC 9110 §5.6.7), so a difference of up to this much doesn't count.
const RESOLUTION_MS = 2_000;

/**
 * A clock that follows the portal's: signatures are refused when the clocks differ by more than 60 s, a phone may be
 * set wrong, and the portal's own clock can be moved for a rehearsal. `now` is the device's clock in milliseconds.
 */
export function createPortalClock(now: () => number): PortalClock {
  let offset = 0;
  return {
    now: () => now() + offset,
    learn(time) {
      const there = Date.parse(time ?? '');
      if (Math.abs(there - (now() + offset)) > RESOLUTION_MS) offset = there - now();
    },
  };
}
