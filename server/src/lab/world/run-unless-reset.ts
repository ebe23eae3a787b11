import type { Deps } from '#deps.ts';

/**
 * Runs work of the lab in the current world, and again in the next one if a reset or a restore ends it meanwhile.
 * @throws what the work throws in a world that lasts
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
