import type { Tx } from '../database.ts';
import { worlds } from '../schema/world.ts';

/** What the world of this portal is drawn from; undefined where the portal began empty. */
export function findRandomSeed(tx: Tx): string | undefined {
  return tx.select().from(worlds).get()?.randomSeed;
}
