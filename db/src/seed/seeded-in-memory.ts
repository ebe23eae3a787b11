import Sqlite from 'better-sqlite3';
import type { OpenDatabase } from '../database.ts';
import { openDatabase, setUpConnection } from '../open.ts';
import type { KeyOrigin } from './key-source.ts';
import { setResetTemplate, templateName } from './reset-database.ts';
import { type Seed, seedDatabase } from './seed-database.ts';

export interface InMemoryOptions {
  seed?: Seed;
  /** Origin of the seeded data's keys, as in `openDatabase`. */
  keysFrom?: KeyOrigin;
  /** Reference time of the seed, in milliseconds. */
  now: number;
}

/** Serialised seeded databases, reused because a server or test file usually has a single clock time. */
const images = new Map<string, Buffer>();
const IMAGES_KEPT = 4;

/**
 * Opens a new seeded in-memory database. In each process, the first database with the same options is generated, and
 * later ones are copies of it.
 */
export function openSeededInMemory({ seed = 'demo', keysFrom = 'installation', now }: InMemoryOptions): OpenDatabase {
  const name = templateName(seed, now);
  const imageName = `${keysFrom} ${name}`;
  const cached = images.get(imageName);
  const database = cached ? setUpConnection(new Sqlite(cached), { keysFrom }) : seeded(seed, keysFrom, now);
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
