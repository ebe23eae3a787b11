import { clearTimeout, setTimeout } from 'node:timers';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';

export interface Waiting {
  /** Returns true once the portal has begun to close. */
  isClosing(): boolean;
  /**
   * Waits until `isDone` returns true, which is checked now and whenever a topic changes. Ends early if the portal
   * closes.
   * @param ms longest wait, in milliseconds of real time, because the portal's clock might be frozen
   */
  until(topics: readonly string[], isDone: () => boolean, ms: number): Promise<void>;
}

/** Creates the waiting of endpoints that respond only when something has happened. */
export function createWaiting(app: FastifyInstance, { bus }: Pick<Deps, 'bus'>): Waiting {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  return {
    isClosing: () => closing.signal.aborted,
    async until(topics, isDone, ms) {
      // If the portal is already closing, no abort event will follow.
      if (closing.signal.aborted || isDone()) return;
      await new Promise<void>((resolve) => {
        const stopListening = bus.listen(topics, () => {
          if (isDone()) end();
        });
        const timer = setTimeout(end, ms);
        closing.signal.addEventListener('abort', end);

        function end(): void {
          stopListening();
          clearTimeout(timer);
          closing.signal.removeEventListener('abort', end);
          resolve();
        }
      });
    },
  };
}
