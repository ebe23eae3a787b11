import { readClock, SECOND } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { now } from '#adapters/browser.ts';
import { useLiveRead } from '../lab-updates.tsx';

/** Returns the portal's clock and its current time in Unix milliseconds, which advances while the clock runs. */
export function useLabClock() {
  const { data: clock, refetch } = useLiveRead(readClock, {});
  const elapsed = useElapsed(clock, clock !== undefined && clock.mode !== 'frozen');
  return { clock, present: clock && Date.parse(clock.now) + elapsed, refetch };
}

/** Returns how long ago `since` last changed, in milliseconds. Updated every second while running. */
function useElapsed(since: unknown, isRunning: boolean): number {
  const [started, setStarted] = useState(() => ({ since, at: now() }));
  const [time, setTime] = useState(now);
  if (started.since !== since) {
    setStarted({ since, at: now() });
    setTime(now());
  }
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setTime(now()), SECOND);
    return () => clearInterval(timer);
  }, [isRunning]);
  return isRunning ? Math.max(0, time - started.at) : 0;
}
