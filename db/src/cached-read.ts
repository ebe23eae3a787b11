import type Sqlite from 'better-sqlite3';
import type { Tx } from './database.ts';
import { connectionOf } from './drizzle-statement.ts';

/** Maximum number of cached answers per connection and read. */
const MAX_ANSWERS = 1_000;

interface Memory<Answer> {
  raw: Sqlite.Database;
  /** Number of rows that the connection has changed so far. */
  changes: Sqlite.Statement<[], number>;
  /** Rows changed by writes that leave the cache valid: see `withoutInvalidating`. */
  exempt: Count;
  /** Row changes counted towards invalidation when the answers were read. */
  readAt: number;
  answers: Map<string, Answer>;
}

interface Count {
  rows: number;
}
const counts = new WeakMap<object, Count>();

function exemptCount(db: Tx): Count {
  const connection = connectionOf(db);
  const count = counts.get(connection) ?? { rows: 0 };
  counts.set(connection, count);
  return count;
}

/**
 * Keeps the cache valid after a write to a table that no cached read uses, such as the codes and tokens of OpenID
 * Connect, which every request writes. Without it, the next read runs again.
 * @param written the result of the write; no trigger may have changed further rows
 */
export function withoutInvalidating<Written extends { changes: number }>(db: Tx, written: Written): Written {
  exemptCount(db).rows += written.changes;
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
  const memories = new WeakMap<Tx, Memory<Answer>>();

  function memoryOf(db: Tx): Memory<Answer> | undefined {
    const existing = memories.get(db);
    if (existing) return existing;
    // Only the database itself has a client; a transaction doesn't.
    if (!hasClient(db)) return undefined;
    const raw = db.$client;
    const changes = raw.prepare<[], number>('SELECT total_changes()').pluck();
    const memory = { raw, changes, exempt: exemptCount(db), readAt: -1, answers: new Map<string, Answer>() };
    memories.set(db, memory);
    return memory;
  }

  return (db, argument) => {
    const memory = memoryOf(db);
    if (!memory || memory.raw.inTransaction) return read(db, argument);
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

const hasClient = (db: Tx): db is Tx & { $client: Sqlite.Database } => '$client' in db;
