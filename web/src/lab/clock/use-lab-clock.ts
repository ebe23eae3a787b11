import { readClock, SECOND } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { now } from '#adapters/clock.ts';
import { useFollowed } from '../lab-updates.tsx';

/** The portal's clock, and its current time in Unix milliseconds, which advances while the clock runs. */
export function useLabClock() {
  const { data: clock, refetch } = useFollowed(readClock, {});
  const elapsed = useElapsed(clock, clock !== undefined && clock.mode !== 'frozen');
  return { clock, present: clock && Date.parse(clock.now) + elapsed, refetch };
}

/** Milliseconds since a moment, updated every second while it runs. */
function useElapsed(since: unknown, isRunning: boolean): number {
  const [begun, setBegun] = useState(() => ({ since, at: now() }));
  const [time, setTime] = useState(now);
  if (begun.since !== since) {
    setBegun({ since, at: now() });
    setTime(now());
  }
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setTime(now()), SECOND);
    return () => clearInterval(timer);
  }, [isRunning]);
  return isRunning ? Math.max(0, time - begun.at) : 0;
}
