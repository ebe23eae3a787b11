import type Sqlite from 'better-sqlite3';
import type { Tx } from './database.ts';
import { connectionOf, drizzleStatement } from './drizzle-statement.ts';

/**
 * A statement in SQL that is compiled once per connection, for what a long upload runs in each of its turns: V8 keeps a
 * compiled one until its next full collection, even if it was used only once.
 * @param text with parameters by name, e.g. `@orgCode`
 */
export const sqlStatement = <Given = void, Result = unknown>(text: string) =>
  drizzleStatement((tx) => clientOf(tx).prepare<Given extends object ? [Given] : [], Result>(text));

const clients = new WeakMap<object, Pick<Sqlite.Database, 'prepare'>>();

/** The connection that a database and its transactions use; a transaction doesn't expose it. */
export function giveClient(db: Tx, client: Pick<Sqlite.Database, 'prepare'>): void {
  clients.set(connectionOf(db), client);
}

function clientOf(tx: Tx): Pick<Sqlite.Database, 'prepare'> {
  const client = clients.get(connectionOf(tx));
  if (!client) throw new Error('This connection was not opened by openDatabase.');
  return client;
}
