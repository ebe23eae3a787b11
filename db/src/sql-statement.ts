import { perConnection, type Tx } from './database.ts';
import { requireOpenLifetime } from './lifetime.ts';

/**
 * Returns an SQL statement compiled once per connection. Used for the batches of long uploads, because V8 retains
 * every compiled statement until its next full collection, even if it ran only once.
 * @param text with named parameters, e.g. `@orgCode`
 */
export const sqlStatement = <Params = void, Result = unknown>(text: string) => {
  const statement = perConnection(({ connection }) =>
    connection.prepare<Params extends object ? [Params] : [], Result>(text),
  );
  return (tx: Tx) => {
    requireOpenLifetime();
    return statement(tx);
  };
};

/**
 * Returns a statement that is built and compiled once per connection, because drizzle takes longer to build a query
 * than SQLite takes to run it. Use it for queries on every request. Otherwise, a plain query is easier to read.
 */
export const drizzleStatement = <Statement>(build: (db: Tx) => Statement): ((db: Tx) => Statement) =>
  perConnection(build);
