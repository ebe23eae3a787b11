import type Sqlite from 'better-sqlite3';
import type { Tx } from './database.ts';
import { connectionOf, drizzleStatement } from './drizzle-statement.ts';

/**
 * Returns an SQL statement that is compiled once per connection, for the turns of a long upload: V8 keeps compiled
 * statements until its next full collection, even if they were used only once.
 * @param text with named parameters, e.g. `@orgCode`
 */
export const sqlStatement = <Params = void, Result = unknown>(text: string) =>
  drizzleStatement((tx) => clientOf(tx).prepare<Params extends object ? [Params] : [], Result>(text));

const clients = new WeakMap<object, Pick<Sqlite.Database, 'prepare'>>();

/** Sets the connection that a database and its transactions use, because a transaction doesn't expose it. */
export function setClient(db: Tx, client: Pick<Sqlite.Database, 'prepare'>): void {
  clients.set(connectionOf(db), client);
}

function clientOf(tx: Tx): Pick<Sqlite.Database, 'prepare'> {
  const client = clients.get(connectionOf(tx));
  if (!client) throw new Error('This connection was not opened by openDatabase.');
  return client;
}
