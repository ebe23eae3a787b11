import Sqlite from 'better-sqlite3';
import type { OpenDatabase } from '../database.ts';
import { fromConnection, openDatabase } from '../open.ts';
import type { KeyOrigin } from './key-source.ts';
import { openedFrom, templateName } from './reset-database.ts';
import { type Seed, seedDatabase } from './seed-database.ts';

export interface InMemoryOptions {
  seed?: Seed;
  /** As in `openDatabase`. */
  keysFrom?: KeyOrigin;
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
export function seededInMemory({ seed = 'demo', keysFrom = 'installation', now }: InMemoryOptions): OpenDatabase {
  const name = templateName(seed, now);
  const imageName = `${keysFrom} ${name}`;
  const known = images.get(imageName);
  const database = known ? fromConnection(new Sqlite(known), { keysFrom }) : seeded(seed, keysFrom, now);
  const image = known ?? database.raw.serialize();
  openedFrom(database.raw, image, name);
  if (!known) keep(imageName, image);
  return database;
}

function seeded(seed: Seed, keysFrom: KeyOrigin, now: number): OpenDatabase {
  const database = openDatabase({ file: ':memory:', keysFrom });
  seedDatabase(database.db, seed, now);
  return database;
}

function keep(name: string, image: Buffer): void {
  const [oldest] = images.keys();
  if (oldest && images.size >= IMAGES_KEPT) images.delete(oldest);
  images.set(name, image);
}
