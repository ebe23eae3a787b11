import Sqlite from 'better-sqlite3';
import type { OpenDatabase } from '../database.ts';
import { fromConnection, openDatabase } from '../open.ts';
import { openedFrom, templateName } from './reset-database.ts';
import { type Seed, seedDatabase } from './seed-database.ts';

export interface InMemoryOptions {
  seed?: Seed;
  /** Milliseconds; the seed is relative to it. */
  now: number;
}

/** Seeded databases as bytes. One server or test file usually has one clock, seldom two. */
const images = new Map<string, Buffer>();
const IMAGES_KEPT = 4;

/**
 * A seeded database in memory of the caller's own. After the first of its kind in a process, it is a copy of the
 * first one's bytes.
 */
export function seededInMemory({ seed = 'demo', now }: InMemoryOptions): OpenDatabase {
  const name = templateName(seed, now);
  const known = images.get(name);
  const database = known ? fromConnection(new Sqlite(known)) : seeded(seed, now);
  const image = known ?? database.raw.serialize();
  openedFrom(database.raw, image, name);
  if (!known) keep(name, image);
  return database;
}

function seeded(seed: Seed, now: number): OpenDatabase {
  const database = openDatabase({ file: ':memory:' });
  seedDatabase(database.db, seed, now);
  return database;
}

function keep(name: string, image: Buffer): void {
  const [oldest] = images.keys();
  if (oldest && images.size >= IMAGES_KEPT) images.delete(oldest);
  images.set(name, image);
}
