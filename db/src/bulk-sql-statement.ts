import type { Tx } from './database.ts';
import { sqlStatement } from './sql-statement.ts';

/**
 * Returns a function that writes many rows with one statement, which reads them `FROM json_each(@rows)`. The statement
 * is compiled once per connection and runs on one batch at a time, in order; `@at` is the index of the batch's first
 * row.
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
 * Keeps a batch's JSON below 128 kB: V8 gives longer strings pages of their own, which pile up while a large file is
 * read. Emails are the longest rows, at half a kilobyte each.
 */
const PORTION = 150;
