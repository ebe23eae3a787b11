import type { Deps } from '../deps.ts';
import { watchForReset } from '../platform/make-in-one-world.ts';

/**
 * Does what takes several calls of the portal. If the lab resets or restores in the meantime it is done again, as if it
 * had been asked for afterwards: whatever came of it belongs to a world that has ended.
 * @throws what the work throws in a world that lasts
 */
export async function inOneWorld<Done>(deps: Pick<Deps, 'bus'>, work: () => Promise<Done>): Promise<Done> {
  for (;;) {
    const wasReset = watchForReset(deps);
    const [done] = await Promise.allSettled([work()]);
    if (wasReset()) continue;
    if (done.status === 'rejected') throw done.reason;
    return done.value;
  }
}
