import Sqlite from 'better-sqlite3';
import type { OpenDatabase } from '../database.ts';
import { fromConnection, openDatabase } from '../open.ts';
import type { KeyOrigin } from './key-source.ts';
import { setResetTemplate, templateName } from './reset-database.ts';
import { type Seed, seedDatabase } from './seed-database.ts';

export interface InMemoryOptions {
  seed?: Seed;
  /** As in `openDatabase`. */
  keysFrom?: KeyOrigin;
  /** Milliseconds; the seed is relative to it. */
  now: number;
}

/** Seeded databases as bytes. A server or test file usually has one clock, seldom two. */
const images = new Map<string, Buffer>();
const IMAGES_KEPT = 4;

/**
 * Opens the caller's own seeded database in memory. After the first of its kind in a process, it is a copy of the first
 * one's bytes.
 */
export function openSeededInMemory({ seed = 'demo', keysFrom = 'installation', now }: InMemoryOptions): OpenDatabase {
  const name = templateName(seed, now);
  const imageName = `${keysFrom} ${name}`;
  const cached = images.get(imageName);
  const database = cached ? fromConnection(new Sqlite(cached), { keysFrom }) : seeded(seed, keysFrom, now);
  const image = cached ?? database.raw.serialize();
  setResetTemplate(database.db, image, name);
  if (!cached) keep(imageName, image);
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
