import type { Tx } from './database.ts';
import { sqlStatement } from './sql-statement.ts';

/**
 * Returns a function that writes many rows with one statement. The SQL must read the rows `FROM json_each(@rows)` and
 * can use `@at`, the index of the batch's first row. The statement is compiled once per connection, and batches run
 * in order.
 */
export function bulkSqlStatement<Row extends object>(
  text: string,
): (tx: Tx, rows: readonly Row[], params?: Record<string, string | number>) => void {
  const statement = sqlStatement<object>(text);
  return (tx, rows, params) => {
    for (let at = 0; at < rows.length; at += PORTION) {
      statement(tx).run({ ...params, at, rows: JSON.stringify(rows.slice(at, at + PORTION)) });
    }
  };
}

/**
 * Rows per batch. Keeps each batch's JSON below 128 kB, because V8 allocates separate pages for longer strings, and
 * these pile up while a large file is read. Email rows are the longest, at half a kilobyte each.
 */
const PORTION = 150;
