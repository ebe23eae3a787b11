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
 * A seeded database in memory of the caller's own. After the first of its kind in a process, it is a copy of those
 * bytes.
 */
export function seededInMemory({ seed = 'demo', now }: InMemoryOptions): OpenDatabase {
  const image = imageOf(seed, now);
  const database = fromConnection(new Sqlite(image));
  openedFrom(database.raw, image, templateName(seed, now));
  return database;
}

function imageOf(seed: Seed, now: number): Buffer {
  const key = templateName(seed, now);
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
