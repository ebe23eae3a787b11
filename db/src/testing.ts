import Sqlite from 'better-sqlite3';
import type { OpenDatabase } from './database.ts';
import { fromConnection, openDatabase } from './open.ts';
import { openRows, type Row } from './sealed-columns.ts';
import { keepAsTemplate } from './seed/reset-database.ts';
import { type SeedName, seedDatabase } from './seed/seed-database.ts';
import { seedTime } from './seed/seed-time.ts';
import { vaultOf } from './vault.ts';

export interface MemoryDbOptions {
  seed?: SeedName;
  /** Milliseconds; the seed is relative to it. */
  now: number;
}

/** Seeded databases as bytes. A test file usually has one clock, seldom two. */
const images = new Map<string, Buffer>();
const IMAGES_KEPT = 4;

/**
 * A seeded database in memory of the caller's own. After the first of its kind in a process, it is a copy of those
 * bytes. Its first `resetDatabase` is as fast as any other.
 */
export function memoryDb({ seed = 'demo', now }: MemoryDbOptions): OpenDatabase {
  const database = fromConnection(new Sqlite(imageOf(seed, now)));
  if (seed === 'demo') keepAsTemplate(database.raw, now);
  return database;
}

function imageOf(seed: SeedName, now: number): Buffer {
  const key = `${seed} ${seedTime(now)}`;
  const known = images.get(key);
  if (known) return known;
  const { db, raw, close } = openDatabase({ file: ':memory:' });
  seedDatabase(db, seed, now);
  const image = raw.serialize();
  close();
  const [oldest] = images.keys();
  if (oldest && images.size >= IMAGES_KEPT) images.delete(oldest);
  images.set(key, image);
  return image;
}

/**
 * Every row of every table in the order in which it was written, with its secrets opened, to compare two databases that
 * have different keys.
 */
export function dumpOf({ db, raw }: OpenDatabase): Record<string, unknown[]> {
  const tables = raw
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT IN ('sqlite_schema', 'sealed_columns') ORDER BY name`,
    )
    .pluck()
    .all();
  return Object.fromEntries(
    tables.map((table) => {
      const rows = raw.prepare<[], Row>(`SELECT rowid, * FROM main."${table}" ORDER BY rowid`).all();
      return [table, openRows(vaultOf(db), table, rows)];
    }),
  );
}

export { VERSION_0_1_0, writeVersion010 } from './fixtures/delivered-version.ts';
