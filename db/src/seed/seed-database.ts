import type { Db } from '../database.ts';
import { rebuildMemberIndex } from '../member-index.ts';
import { vaultOf } from '../vault.ts';
import { demoRows } from './demo-rows.ts';
import { seedTime } from './seed-time.ts';
import { insertRows } from './table-rows.ts';

/** `demo`: the two organisations of the demo. `none`: nothing; the program needs no rows to start. */
export type SeedName = 'demo' | 'none';

/**
 * Fills a database that has no organisation yet, in one transaction; any other is left as it is.
 * @param now Milliseconds: the rows are relative to the full hour before it.
 * @returns Whether it was filled.
 */
export function seedDatabase(db: Db, seed: SeedName, now: number): boolean {
  const raw = db.$client;
  const isEmpty = raw.prepare('SELECT 1 FROM organisations LIMIT 1').get() === undefined;
  if (seed === 'none' || !isEmpty) return false;
  raw.transaction(() => rebuildMemberIndex(raw, () => insertRows(raw, demoRows(seedTime(now)), vaultOf(db))))();
  return true;
}
