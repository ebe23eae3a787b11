import type Sqlite from 'better-sqlite3';
import type { Tx } from './database.ts';
import { connectionOf } from './prepared.ts';

/** Answers kept per connection and read; more than the server asks for twice between two writes in a busy hour. */
const KEPT = 1_000;

interface Memory<Answer> {
  raw: Sqlite.Database;
  /** How many rows the connection has changed so far. */
  changes: Sqlite.Statement<[], number>;
  /** Rows changed apart from everything that is remembered: see `apart`. */
  apart: Count;
  /** What both said when the answers were read. */
  readAt: number;
  answers: Map<string, Answer>;
}

interface Count {
  rows: number;
}
const counts = new WeakMap<object, Count>();

function countApart(db: Tx): Count {
  const connection = connectionOf(db);
  const count = counts.get(connection) ?? { rows: 0 };
  counts.set(connection, count);
  return count;
}

/**
 * Says that a write concerned a table of which nothing is remembered, so that what is remembered stays: the codes and
 * tokens of OpenID Connect are written with each of its requests. A write that does not say so costs a read, nothing
 * else.
 * @param written what the write has returned; no trigger may have changed further rows
 */
export function apart<Written extends { changes: number }>(db: Tx, written: Written): Written {
  countApart(db).rows += written.changes;
  return written;
}

/**
 * A read whose answers are cached until the next write that is not `apart`. The server has the database to itself, so
 * every change passes this connection, and SQLite counts it (0.15 µs to ask, against 10 µs to read a session). Inside a
 * transaction every read runs, because what it sees may be rolled back.
 * @param read returns an answer for everything that decides it, `key` included; callers must not change the answer.
 */
export function remembered<Argument, Answer>(
  keyOf: (argument: Argument) => string,
  read: (db: Tx, argument: Argument) => Answer,
): (db: Tx, argument: Argument) => Answer {
  const memories = new WeakMap<Tx, Memory<Answer>>();

  function memoryOf(db: Tx): Memory<Answer> | undefined {
    const known = memories.get(db);
    if (known) return known;
    // Only the database itself has a client, a transaction does not.
    if (!hasClient(db)) return undefined;
    const raw = db.$client;
    const changes = raw.prepare<[], number>('SELECT total_changes()').pluck();
    const memory = { raw, changes, apart: countApart(db), readAt: -1, answers: new Map<string, Answer>() };
    memories.set(db, memory);
    return memory;
  }

  return (db, argument) => {
    const memory = memoryOf(db);
    if (!memory || memory.raw.inTransaction) return read(db, argument);
    const { answers } = memory;
    const changes = (memory.changes.get() ?? -1) - memory.apart.rows;
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
