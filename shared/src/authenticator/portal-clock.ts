/** The portal's time as this device knows it. */
export interface PortalClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Takes the time that an answer or message of the portal carries; anything unreadable is ignored. */
  learn(time: string | null): void;
}

// The Date header has whole seconds (RFC 9110 §5.6.7), so up to this much difference is none.
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
