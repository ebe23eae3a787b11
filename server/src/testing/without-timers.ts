import { vi } from 'vitest';

/**
 * Runs work with this process's timers stopped: work that waits for a timer never ends, and its test times out. The
 * benchmarks measure how long the work takes.
 */
export async function withoutTimers<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}
