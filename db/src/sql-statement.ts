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

/**
 * Returns a function that writes rows in batches with one prepared statement per connection. The SQL selects the rows
 * `FROM json_each(@rows)`; `@at` is the index of the batch's first row. Batches run in order.
 */
export function bulkSqlStatement<Row extends object>(
  text: string,
): (tx: Tx, rows: readonly Row[], params?: Record<string, string | number>) => void {
  const statement = sqlStatement<object>(text);
  return (tx, rows, params) => {
    for (let at = 0; at < rows.length; at += BATCH_ROWS) {
      statement(tx).run({ ...params, at, rows: JSON.stringify(rows.slice(at, at + BATCH_ROWS)) });
    }
  };
}

/**
 * Rows per batch. Keeps each batch's JSON below 128 kB, because V8 allocates separate pages for longer strings, and
 * these pile up while a large file is read. Email rows are the longest, at half a kilobyte each.
 */
const BATCH_ROWS = 150;
