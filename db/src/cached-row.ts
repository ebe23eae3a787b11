import type Sqlite from 'better-sqlite3';
import { getTableName, type SQLiteTable } from '#drizzle';
import type { Connection, Tx } from './database.ts';
import { requireOpenLifetime } from './lifetime.ts';

/** Maximum number of cached answers per read and connection. */
const MAX_ANSWERS = 1_000;

/** One connection's cache of a read. */
interface Memory {
  answers: Map<string, unknown>;
  /** Number of the last transaction that changed a row this read depends on. It could still roll back. */
  changedIn: number;
}

/**
 * Wraps `read` in a cache from which SQLite itself removes the answers that a write makes outdated: temporary triggers
 * report each changed row of `tables`, including rows changed by cascades and resets. Use it for rows that most
 * requests need, and `cachedRead` for answers that depend on rows without a common key.
 * @param tables all tables that `read` uses
 * @param columns columns of every table that identify the answer
 * @param read callers must not modify its answer
 */
export function cachedRow<Column extends string, Answer>(
  tables: readonly SQLiteTable[],
  columns: readonly Column[],
  read: (db: Tx, key: Readonly<Record<Column, string>>) => Answer,
): (db: Tx, key: Readonly<Record<Column, string>>) => Answer {
  const memories = new WeakMap<Connection, Memory>();

  function memoryOf({ connection }: Tx): Memory | undefined {
    const known = memories.get(connection);
    // A rollback would also remove the triggers.
    if (known || connection.raw.inTransaction) return known;
    const memory: Memory = { answers: new Map(), changedIn: -1 };
    memories.set(connection, memory);
    watch(connection.raw, tables, columns, (key) => {
      memory.answers.delete(key);
      memory.changedIn = connection.transactions;
    });
    return memory;
  }

  return (db, key) => {
    // Enforce the lifetime for cached answers too.
    requireOpenLifetime();
    const memory = memoryOf(db);
    if (!memory) return read(db, key);
    const { answers } = memory;
    const name = columns.map((column) => key[column]).join(' ');
    const cached = answers.get(name);
    if (cached !== undefined) return cached as Answer;
    const answer = read(db, key);
    if (db.connection.raw.inTransaction && memory.changedIn === db.connection.transactions) return answer;
    if (answers.size >= MAX_ANSWERS) answers.clear();
    answers.set(name, answer);
    return answer;
  };
}

/** Number of watches per connection, which names their triggers. */
const watches = new WeakMap<Sqlite.Database, number>();

/** Calls `forget` with the old and new key of every changed row. */
function watch(
  raw: Sqlite.Database,
  tables: readonly SQLiteTable[],
  columns: readonly string[],
  forget: (key: string) => void,
): void {
  const number = (watches.get(raw) ?? 0) + 1;
  watches.set(raw, number);
  const name = `forget_cached_${number}`;
  raw.function(name, { varargs: true }, (...key) => {
    forget(key.join(' '));
    return null;
  });
  const forgetting = (row: 'OLD' | 'NEW') => `SELECT ${name}(${columns.map((column) => `${row}."${column}"`)});`;
  for (const table of tables.map(getTableName)) {
    raw.exec(`
      CREATE TEMP TRIGGER "${name}_${table}_insert" AFTER INSERT ON main."${table}" BEGIN ${forgetting('NEW')} END;
      CREATE TEMP TRIGGER "${name}_${table}_update" AFTER UPDATE ON main."${table}"
        BEGIN ${forgetting('OLD')} ${forgetting('NEW')} END;
      CREATE TEMP TRIGGER "${name}_${table}_delete" AFTER DELETE ON main."${table}" BEGIN ${forgetting('OLD')} END;
    `);
  }
}
