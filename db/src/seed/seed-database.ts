import type { FullWorld } from '@orchestrate/shared';
import type Sqlite from 'better-sqlite3';
import { type Db, type TableRows, vaultOf } from '../database.ts';
import { explainOpenFailure } from '../database-unusable.ts';
import { rebuildMemberIndex } from '../member-index.ts';
import { demoRows } from './demo-rows.ts';
import { type KeySource, keySourceOf } from './key-source.ts';
import { seedTime } from './seed-time.ts';
import { insertRows } from './table-rows.ts';
import { worldRows } from './world/world-rows.ts';

/** `demo`: the demo's two organisations. `none`: no rows, since the program needs none to start. */
export type SeedName = 'demo' | 'none';
/** Initial data of a database. */
export type Seed = SeedName | FullWorld;

/** Returns a seed's rows, relative to `now` in milliseconds. */
export function seedRows(seed: Seed, now: number, source: KeySource): TableRows[] {
  if (seed === 'none') return [];
  const base = seedTime(now);
  return seed === 'demo' ? demoRows(base, source) : worldRows(seed, base, source);
}

/**
 * Seeds a database that has no organisations yet, in one transaction. Leaves any other database unchanged.
 * @param now in milliseconds; the rows are relative to the start of this hour
 * @returns true if the database was empty
 * @throws {DatabaseUnusable} The disk is full.
 */
export function seedDatabase(db: Db, seed: Seed, now: number): boolean {
  const raw = db.$client;
  const isEmpty = raw.prepare('SELECT 1 FROM organisations UNION ALL SELECT 1 FROM worlds').get() === undefined;
  if (!isEmpty) return false;
  if (seed === 'none') return true;
  const rows = seedRows(seed, now, keySourceOf(db.connection));
  try {
    transactionWithoutForeignKeys(raw, () => rebuildMemberIndex(raw, () => insertRows(raw, rows, vaultOf(db))));
  } catch (failure) {
    throw explainOpenFailure(raw.name, failure);
  }
  return true;
}

/**
 * Runs `work` in a transaction without foreign key checks. All rows come from one valid source. The checks would also
 * prevent two SQLite optimisations: a DELETE that drops whole pages and an INSERT … SELECT that copies them. Must not
 * run inside a transaction, where SQLite can't turn the checks off.
 */
export function transactionWithoutForeignKeys(raw: Sqlite.Database, work: () => void): void {
  raw.pragma('foreign_keys = OFF');
  try {
    raw.transaction(work)();
  } finally {
    raw.pragma('foreign_keys = ON');
  }
}
