import type Sqlite from 'better-sqlite3';
import type { Tx } from './open.ts';
import { connectionOf, prepared } from './prepared.ts';

/**
 * A statement that writes many rows, which it reads `FROM json_each(@rows)`; `@at` is the number of the first of them.
 * Compiled once per connection, and run with some of the rows at a time, in their order.
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
 * V8 gives a string beyond 128 kB a page of its own, which a large file would have pile up. Mails are the longest rows,
 * with half a kilobyte each.
 */
const PORTION = 150;

const clientOf = (tx: Tx): Sqlite.Database => Reflect.get(connectionOf(tx), 'client');
