import { LIMITS, SECOND } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import type { Countdown } from '#lib/time/timers.ts';
import { authenticator } from '../phone/this-phone.ts';

const ENDING_SECONDS = 10;

/** Counts down to a time on the portal's clock, which can differ from this phone's clock. Both times are ISO 8601. */
export function useTimeLeft(startsAt: string, expiresAt: string): Countdown {
  const [time, setTime] = useState(authenticator.portalNow);

  useEffect(() => {
    const timer = setInterval(() => setTime(authenticator.portalNow()), LIMITS.countdownTickMs);
    return () => clearInterval(timer);
  }, []);

  const end = Date.parse(expiresAt);
  const secondsLeft = Math.max(0, (end - time) / SECOND);
  const isExpired = secondsLeft === 0;
  return {
    secondsLeft,
    fraction: Math.min(1, (end - time) / Math.max(1, end - Date.parse(startsAt))),
    isEnding: !isExpired && secondsLeft <= ENDING_SECONDS,
    isExpired,
  };
}
