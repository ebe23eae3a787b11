import type { Tx } from './database.ts';
import { sqlStatement } from './sql-statement.ts';

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
