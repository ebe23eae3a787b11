import type { Deps } from '#deps.ts';

/**
 * Runs lab work in the current world. If a reset or restore interrupts the work, runs it again in the new world.
 * @throws any error from the work, unless the world was replaced meanwhile
 */
export async function runUnlessReset<Result>(
  { world }: Pick<Deps, 'world'>,
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const { lifetime } = world;
    const [done] = await Promise.allSettled([lifetime.run(work)]);
    if (lifetime.hasEnded) continue;
    if (done.status === 'rejected') throw done.reason;
    return done.value;
  }
}
