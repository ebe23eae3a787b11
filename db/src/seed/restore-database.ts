import Sqlite from 'better-sqlite3';
import type { Db, OpenDatabase } from '../database.ts';
import { setUpConnection } from '../open.ts';
import { attachImage, createRowCopier } from './reset-database.ts';

/**
 * Header offsets of the file format's write and read versions (SQLite file format §1.3.3). 1 means no write-ahead
 * log.
 */
const FORMAT_VERSIONS = [18, 19];

/** Serialises the whole database. Its secrets stay sealed. */
export function serialiseDatabase({ $client }: Db): Buffer {
  const image = $client.serialize();
  // SQLite refuses to open an in-memory database that has a write-ahead log, so mark the image as having none.
  for (const at of FORMAT_VERSIONS) image[at] = 1;
  return image;
}

/**
 * Restores a database from its own image, in one transaction on the same connection. Prepared statements stay valid.
 * Must not run inside a transaction.
 */
export function restoreDatabase({ $client: raw }: Db, image: Buffer): void {
  attachImage(raw, image, 'snapshot');
  try {
    createRowCopier(raw, 'snapshot')();
  } finally {
    raw.exec('DETACH snapshot');
  }
}

/** Opens an image of `source` as an in-memory database with the same key. */
export function openImage(image: Buffer, source: Db): OpenDatabase {
  const { vault, keyOrigin } = source.connection;
  return setUpConnection(new Sqlite(image), {
    vaults: { current: () => vault, older: [], all: [vault] },
    keysFrom: keyOrigin,
  });
}
