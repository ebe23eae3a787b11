import type { Tx } from './database.ts';
import { sqlStatement } from './sql-statement.ts';

/**
 * A statement that writes many rows, read `FROM json_each(@rows)`. It is compiled once per connection and run for one
 * batch of rows at a time, in order; `@at` is the index of the batch's first row.
 */
export function bulkSqlStatement<Row extends object>(
  text: string,
): (tx: Tx, rows: readonly Row[], given?: Record<string, string | number>) => void {
  const statement = sqlStatement<object>(text);
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
