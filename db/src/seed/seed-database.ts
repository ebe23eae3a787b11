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

/** `demo`: the two organisations of the demo. `none`: no rows, which the program doesn't need to start. */
export type SeedName = 'demo' | 'none';
/** The initial data of a database. */
export type Seed = SeedName | FullWorld;

/** Returns all rows of a seed for `now` in milliseconds. */
export function seedRows(seed: Seed, now: number, source: KeySource): TableRows[] {
  if (seed === 'none') return [];
  const base = seedTime(now);
  return seed === 'demo' ? demoRows(base, source) : worldRows(seed, base, source);
}

/**
 * Seeds a database that has no organisation yet, in one transaction; any other is left alone.
 * @param now in milliseconds: the rows are relative to the full hour before it
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
 * Runs `work` in a transaction without foreign key checks. All rows come from one valid source, and checking them again
 * would also prevent two optimisations of SQLite: a DELETE that drops whole pages and an INSERT … SELECT that copies
 * them. The check cannot be switched within a transaction.
 */
export function transactionWithoutForeignKeys(raw: Sqlite.Database, work: () => void): void {
  raw.pragma('foreign_keys = OFF');
  try {
    raw.transaction(work)();
  } finally {
    raw.pragma('foreign_keys = ON');
  }
}
