import Sqlite from 'better-sqlite3';
import type { Db, OpenDatabase } from '../database.ts';
import { fromConnection } from '../open.ts';
import { vaultOf } from '../vault.ts';
import { attachImage } from './attach-image.ts';
import { replaceRows } from './reset-database.ts';

/** The whole database as the bytes of a file. Its secrets stay sealed. */
export const imageOf = ({ $client }: Db): Buffer => $client.serialize();

/**
 * Returns to what an image of the same database holds, in one transaction on the same connection: prepared statements
 * stay valid. Not to be called within a transaction.
 */
export function restoreDatabase({ $client: raw }: Db, image: Buffer): void {
  attachImage(raw, image, 'snapshot');
  try {
    replaceRows(raw, 'snapshot');
  } finally {
    raw.exec('DETACH snapshot');
  }
}

/** A database in memory that begins as an image of `source`, and opens its secrets with the same key. */
export function openImage(image: Buffer, source: Db): OpenDatabase {
  const vault = vaultOf(source);
  return fromConnection(new Sqlite(image), { current: () => vault, older: [], known: [vault] });
}
