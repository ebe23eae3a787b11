import { setImmediate } from 'node:timers/promises';
import type { Deps } from '#deps.ts';
import { Refusal } from './refusal.ts';

/**
 * Makes and keeps something that takes a while to make. If the lab resets or restores in the meantime, it is made
 * again: what was begun in one world does not belong in the next.
 * @param keep called with what was made, before anything else happens
 * @param whenReset may throw, where nothing is to be made in the new world
 */
export async function retryIfReset<Made, Kept>(
  deps: Pick<Deps, 'bus'>,
  make: () => Promise<Made>,
  keep: (made: Made) => Kept,
  whenReset: () => void,
): Promise<Kept> {
  for (;;) {
    const wasReset = resetDetector(deps);
    const made = await make();
    if (!wasReset()) return keep(made);
    whenReset();
  }
}

/**
 * Does what takes several calls of the portal. If the lab resets or restores in the meantime it is done again, as if it
 * had been asked for afterwards: whatever came of it belongs to a world that has ended.
 * @throws what the work throws in a world that lasts
 */
export async function runUnlessReset<Done>(deps: Pick<Deps, 'bus'>, work: () => Promise<Done>): Promise<Done> {
  for (;;) {
    const wasReset = resetDetector(deps);
    const [done] = await Promise.allSettled([work()]);
    if (wasReset()) continue;
    if (done.status === 'rejected') throw done.reason;
    return done.value;
  }
}

/** For what somebody who is signed in asked for: a reset ends their session. @throws Refusal INVALID_SESSION */
export function refuseEndedSession(): never {
  throw new Refusal('INVALID_SESSION');
}

/** Lets others have their turn during work of somebody who is signed in. @throws Refusal as `refuseEndedSession` */
export async function nextTurn(deps: Pick<Deps, 'bus'>): Promise<void> {
  const wasReset = resetDetector(deps);
  await setImmediate();
  if (wasReset()) refuseEndedSession();
}

/** @returns a function that says whether the lab has reset or restored since */
export function resetDetector({ bus }: Pick<Deps, 'bus'>): () => boolean {
  const began = bus.resets();
  return () => bus.resets() !== began;
}
