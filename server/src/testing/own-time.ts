import { vi } from 'vitest';

/** More than a busy machine needs for one that is not disturbed. */
const TRIES = 5;

/**
 * Milliseconds that some work takes of the processor, while the timers of this process are stopped.
 *
 * Elapsed time would tell what else the machine does. It consists of processor time and of waiting, and what waits for
 * a timer here never ends: so this is what the work takes on a machine that does nothing else.
 */
export async function ownTimeOf(work: () => Promise<void>): Promise<number> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
  const before = process.cpuUsage();
  try {
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  } finally {
    vi.useRealTimers();
  }
}

/** The least of some attempts, which end with the first that is within the limit. */
export async function leastOf(limitMs: number, attempt: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least >= limitMs; tries += 1) least = Math.min(least, await attempt());
  return least;
}
