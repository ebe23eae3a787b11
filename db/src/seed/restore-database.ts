import Sqlite from 'better-sqlite3';
import type { Db, OpenDatabase } from '../database.ts';
import { fromConnection } from '../open.ts';
import { attachImage } from './attach-image.ts';
import { copyingAllRows } from './reset-database.ts';

/**
 * Offsets of the file format's write and read versions in the header (SQLite file format §1.3.3); 1 is without a
 * write-ahead log.
 */
const FORMAT_VERSIONS = [18, 19];

/** Returns the whole database as the bytes of a file. Its secrets stay sealed. */
export function takeImage({ $client }: Db): Buffer {
  const image = $client.serialize();
  // A database in memory cannot have a write-ahead log: SQLite would refuse to open it.
  for (const at of FORMAT_VERSIONS) image[at] = 1;
  return image;
}

/**
 * Returns to the state of an image of the same database, in one transaction on the same connection: prepared statements
 * stay valid. Don't call it within a transaction.
 */
export function restoreDatabase({ $client: raw }: Db, image: Buffer): void {
  attachImage(raw, image, 'snapshot');
  try {
    copyingAllRows(raw, 'snapshot')();
  } finally {
    raw.exec('DETACH snapshot');
  }
}

/** Opens a database in memory from an image of `source`, with the same key. */
export function openImage(image: Buffer, source: Db): OpenDatabase {
  const { vault, keyOrigin } = source.connection;
  return fromConnection(new Sqlite(image), {
    vaults: { current: () => vault, older: [], all: [vault] },
    keysFrom: keyOrigin,
  });
}
