import type Sqlite from 'better-sqlite3';
import { perConnection, type Tx } from './database.ts';
import { requireOpenLifetime } from './lifetime.ts';

/** Maximum number of cached answers per read and connection. */
const MAX_ANSWERS = 1_000;

interface Memory<Answer> {
  /** Number of rows this connection has changed so far. */
  changes: Sqlite.Statement<[], number>;
  /** Number of changed rows that don't invalidate the cache, included in `changes`. */
  exempt: Count;
  /** Number of changed rows at the last read, excluding exempt rows. */
  readAt: number;
  answers: Map<string, Answer>;
}

interface Count {
  rows: number;
}

/** Number of rows changed by writes marked with `withoutInvalidating`. */
const exemptOf = perConnection((): Count => ({ rows: 0 }));

/**
 * Marks a write to a table that no cached read uses, so the write doesn't clear the caches. For example, every OpenID
 * Connect request writes codes or tokens.
 * @param written the result of the write; no trigger may have changed additional rows
 */
export function withoutInvalidating<Written extends { changes: number }>(db: Tx, written: Written): Written {
  exemptOf(db).rows += written.changes;
  return written;
}

/**
 * Wraps `read` in a cache that every write clears, except writes marked with `withoutInvalidating`. No other process
 * uses the database, so this connection's count of changed rows covers every change. Reads inside a transaction
 * bypass the cache because their rows could be rolled back.
 * @param read its answer must depend only on the argument and the database; callers must not modify the answer
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
    // Enforce the lifetime for cached answers too.
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
