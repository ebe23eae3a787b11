import { LIMITS } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { now } from '#adapters/clock.ts';

export interface Countdown {
  /** Seconds left, not rounded, never below 0. */
  secondsLeft: number;
  /** 1 at the start, 0 at the end. */
  fraction: number;
  /** The last ten seconds, which are shown in amber. */
  isEnding: boolean;
  isExpired: boolean;
}

const ENDING_SECONDS = 10;

/**
 * Counts down from now with the spec's tick of 400 ms. It starts again when `restartKey` (the code it belongs to) or
 * the number of seconds changes. It is for display only: the server decides what has expired.
 * @param endsAt milliseconds by this browser's clock, for a countdown that started earlier
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

/** The value from when it last stayed the same for `ms` milliseconds. */
export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
