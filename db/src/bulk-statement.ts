import type Sqlite from 'better-sqlite3';
import type { Tx } from './database.ts';
import { connectionOf, prepared } from './prepared.ts';

/**
 * A statement that writes many rows, read `FROM json_each(@rows)`. It is compiled once per connection and run for one
 * batch of rows at a time, in order; `@at` is the index of the batch's first row.
 */
export function bulkStatement<Row extends object>(
  text: string,
): (tx: Tx, rows: readonly Row[], given?: Record<string, string | number>) => void {
  const statement = prepared((tx) => clientOf(tx).prepare(text));
  return (tx, rows, given) => {
    for (let at = 0; at < rows.length; at += PORTION) {
      statement(tx).run({ ...given, at, rows: JSON.stringify(rows.slice(at, at + PORTION)) });
    }
  };
}

/**
 * Keeps a batch's JSON below 128 kB: V8 gives longer strings pages of their own, which pile up while a large file is
 * read. Mails are the longest rows, at half a kilobyte each.
 */
const PORTION = 150;

const clients = new WeakMap<object, Sqlite.Database>();

/** The connection that a database and its transactions use; a transaction doesn't expose it. */
export function giveClient(db: Tx, client: Sqlite.Database): void {
  clients.set(connectionOf(db), client);
}

function clientOf(tx: Tx): Sqlite.Database {
  const client = clients.get(connectionOf(tx));
  if (!client) throw new Error('This connection was not opened by openDatabase.');
  return client;
}
