import { LIMITS } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { now } from '#adapters/browser.ts';

export interface Countdown {
  /** Unrounded seconds left, at least 0. */
  secondsLeft: number;
  /** Fraction of the time that is left: 1 at the start, 0 at the end. */
  fraction: number;
  /** True during the last ten seconds. */
  isEnding: boolean;
  isExpired: boolean;
}

const ENDING_SECONDS = 10;

/**
 * Counts down from now, ticking every 400 ms as the spec requires. Restarts when `restartKey` (e.g. the code) or the
 * number of seconds changes. For display only: the server enforces the expiry.
 * @param endsAt end in milliseconds by this browser's clock, for a countdown that started earlier
 */
export function useCountdown(seconds: number, restartKey: string | number, endsAt?: number): Countdown {
  const key = `${restartKey}/${seconds}`;
  const newRun = () => ({ key, endsAt: endsAt ?? now() + seconds * 1000 });
  const [run, setRun] = useState(newRun);
  const [time, setTime] = useState(now);

  if (run.key !== key) {
    setRun(newRun());
    setTime(now());
  }

  useEffect(() => {
    const timer = setInterval(() => {
      const present = now();
      setTime(present);
      if (present >= run.endsAt) clearInterval(timer);
    }, LIMITS.countdownTickMs);
    return () => clearInterval(timer);
  }, [run.endsAt]);

  const secondsLeft = Math.min(seconds, Math.max(0, (run.endsAt - time) / 1000));
  const isExpired = secondsLeft === 0;
  return {
    secondsLeft,
    fraction: seconds > 0 ? secondsLeft / seconds : 0,
    isEnding: !isExpired && secondsLeft <= ENDING_SECONDS,
    isExpired,
  };
}

/** Returns the value once it hasn't changed for `ms` milliseconds. */
export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
