import Sqlite from 'better-sqlite3';
import type { Db, OpenDatabase } from '../database.ts';
import { fromConnection } from '../open.ts';
import { vaultOf } from '../vault.ts';
import { attachImage } from './attach-image.ts';
import { keyOriginOf } from './key-source.ts';
import { copyingAllRows } from './reset-database.ts';

/**
 * Where the header says how the file is written and read (SQLite file format §1.3.3); 1 is without a write-ahead log.
 */
const FORMAT_VERSIONS = [18, 19];

/** The whole database as the bytes of a file. Its secrets stay sealed. */
export function imageOf({ $client }: Db): Buffer {
  const image = $client.serialize();
  // Of a database with a write-ahead log, which one in memory cannot have: SQLite would not open it.
  for (const at of FORMAT_VERSIONS) image[at] = 1;
  return image;
}

/**
 * Returns to what an image of the same database holds, in one transaction on the same connection: prepared statements
 * stay valid. Not to be called within a transaction.
 */
export function restoreDatabase({ $client: raw }: Db, image: Buffer): void {
  attachImage(raw, image, 'snapshot');
  try {
    copyingAllRows(raw, 'snapshot')();
  } finally {
    raw.exec('DETACH snapshot');
  }
}

/** A database in memory that begins as an image of `source`, and opens its secrets with the same key. */
export function openImage(image: Buffer, source: Db): OpenDatabase {
  const vault = vaultOf(source);
  return fromConnection(new Sqlite(image), {
    vaults: { current: () => vault, older: [], known: [vault] },
    keysFrom: keyOriginOf(source),
  });
}
