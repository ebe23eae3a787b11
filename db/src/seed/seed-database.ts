import type { FullWorld } from '@orchestrate/shared';
import type { Db, TableRows } from '../database.ts';
import { explainOpenFailure } from '../database-unusable.ts';
import { rebuildMemberIndex } from '../member-index.ts';
import { vaultOf } from '../vault.ts';
import { demoRows } from './demo-rows.ts';
import { type KeySource, keySourceOf } from './key-source.ts';
import { seedTime } from './seed-time.ts';
import { insertRows } from './table-rows.ts';
import { transactionWithoutForeignKeys } from './without-foreign-keys.ts';
import { worldRows } from './world/world-rows.ts';

/** `demo`: the two organisations of the demo. `none`: nothing; the program needs no rows to start. */
export type SeedName = 'demo' | 'none';
/** What a database begins with. */
export type Seed = SeedName | FullWorld;

/** All rows of a seed for `now` in milliseconds. */
export function seedRows(seed: Seed, now: number, source: KeySource): TableRows[] {
  if (seed === 'none') return [];
  const base = seedTime(now);
  return seed === 'demo' ? demoRows(base, source) : worldRows(seed, base, source);
}

/**
 * Fills a database that has no organisation yet, in one transaction; any other is left as it is.
 * @param now Milliseconds: the rows are relative to the full hour before it.
 * @returns Whether it begins with this seed.
 * @throws {DatabaseUnusable} Its disk has no room.
 */
export function seedDatabase(db: Db, seed: Seed, now: number): boolean {
  const raw = db.$client;
  const isEmpty = raw.prepare('SELECT 1 FROM organisations UNION ALL SELECT 1 FROM worlds').get() === undefined;
  if (!isEmpty) return false;
  if (seed === 'none') return true;
  const rows = seedRows(seed, now, keySourceOf(db));
  try {
    transactionWithoutForeignKeys(raw, () => rebuildMemberIndex(raw, () => insertRows(raw, rows, vaultOf(db))));
  } catch (failure) {
    throw explainOpenFailure(raw.name, failure);
  }
  return true;
}
