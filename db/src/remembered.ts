import type Sqlite from 'better-sqlite3';
import type { Tx } from './database.ts';

/** Answers kept per connection and read; more than a busy hour asks for twice between two writes. */
const KEPT = 1_000;

interface Memory<Answer> {
  raw: Sqlite.Database;
  /** How many rows the connection has ever changed. */
  changes: Sqlite.Statement<[], number>;
  /** `changes` when the answers were read. */
  readAt: number;
  answers: Map<string, Answer>;
}

/**
 * A read whose answers are kept until anything at all is written: the server alone has the database open, so whatever
 * changes it passes this connection, and SQLite counts it (0.15 µs to ask, where a session takes 10 µs to read). Within a
 * transaction every read is made, because what it sees may be undone.
 * @param read an answer for everything that decides it, `key` included; it must not be changed by who gets it.
 */
export function remembered<Argument, Answer>(
  keyOf: (argument: Argument) => string,
  read: (db: Tx, argument: Argument) => Answer,
): (db: Tx, argument: Argument) => Answer {
  const memories = new WeakMap<Tx, Memory<Answer>>();

  function memoryOf(db: Tx): Memory<Answer> | undefined {
    const known = memories.get(db);
    if (known) return known;
    // A transaction has no client: only the database itself does.
    if (!hasClient(db)) return undefined;
    const raw = db.$client;
    const changes = raw.prepare<[], number>('SELECT total_changes()').pluck();
    const memory = { raw, changes, readAt: -1, answers: new Map<string, Answer>() };
    memories.set(db, memory);
    return memory;
  }

  return (db, argument) => {
    const memory = memoryOf(db);
    if (!memory || memory.raw.inTransaction) return read(db, argument);
    const { answers } = memory;
    const changes = memory.changes.get() ?? -1;
    if (changes !== memory.readAt || answers.size >= KEPT) answers.clear();
    memory.readAt = changes;
    const key = keyOf(argument);
    const kept = answers.get(key);
    if (kept !== undefined) return kept;
    const answer = read(db, argument);
    answers.set(key, answer);
    return answer;
  };
}

const hasClient = (db: Tx): db is Tx & { $client: Sqlite.Database } => '$client' in db;
