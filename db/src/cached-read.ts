import type Sqlite from 'better-sqlite3';
import { perConnection, type Tx } from './database.ts';
import { requireOpenLifetime } from './lifetime.ts';

/** Maximum number of cached answers per connection and read. */
const MAX_ANSWERS = 1_000;

interface Memory<Answer> {
  /** Number of rows that the connection has changed so far. */
  changes: Sqlite.Statement<[], number>;
  /** Changed rows that leave the cache valid, included in `changes`. */
  exempt: Count;
  /** Number of changed rows, without exempt ones, at the last read. */
  readAt: number;
  answers: Map<string, Answer>;
}

interface Count {
  rows: number;
}

/** Rows changed by the writes that `withoutInvalidating` marks. */
const exemptOf = perConnection((): Count => ({ rows: 0 }));

/**
 * Keeps the cache valid after a write to a table that no cached read uses, such as the codes and tokens of OpenID
 * Connect, which every request writes. Without it, the next read runs again.
 * @param written the result of the write; no trigger may have changed further rows
 */
export function withoutInvalidating<Written extends { changes: number }>(db: Tx, written: Written): Written {
  exemptOf(db).rows += written.changes;
  return written;
}

/**
 * Returns a read that caches its answers until the next write, except writes marked by `withoutInvalidating`. The server
 * has the database to itself, so every change goes through this connection, which counts changed rows. Inside a
 * transaction every read runs, because its rows could be rolled back.
 * @param read its answer must depend only on the argument and the database; callers must not change the answer
 */
export function cachedRead<Argument, Answer>(
  keyOf: (argument: Argument) => string,
  read: (db: Tx, argument: Argument) => Answer,
): (db: Tx, argument: Argument) => Answer {
  const memoryOf = perConnection(
    (db): Memory<Answer> => ({
      changes: db.connection.raw.prepare<[], number>('SELECT total_changes()').pluck(),
      exempt: exemptOf(db),
      readAt: -1,
      answers: new Map(),
    }),
  );

  return (db, argument) => {
    // A cached answer is a query too.
    requireOpenLifetime();
    if (db.connection.raw.inTransaction) return read(db, argument);
    const memory = memoryOf(db);
    const { answers } = memory;
    const changes = (memory.changes.get() ?? -1) - memory.exempt.rows;
    if (changes !== memory.readAt || answers.size >= MAX_ANSWERS) answers.clear();
    memory.readAt = changes;
    const key = keyOf(argument);
    const cached = answers.get(key);
    if (cached !== undefined) return cached;
    const answer = read(db, argument);
    answers.set(key, answer);
    return answer;
  };
}
