import type Sqlite from 'better-sqlite3';
import { type BaseSQLiteDatabase, drizzle, type Logger, type SQLiteTransactionConfig } from '#drizzle';
import { requireOpenLifetime } from './lifetime.ts';
import type { KeyOrigin } from './seed/key-source.ts';
import type { Vault } from './vault.ts';

type Queries = Omit<BaseSQLiteDatabase<'sync', Sqlite.RunResult>, 'transaction'>;

/** The database or a transaction on it; repositories accept both. */
export interface Tx extends Queries {
  readonly connection: Connection;
  /**
   * Runs `work` in a transaction, or in a savepoint if a transaction is already open. `work` must not return a
   * promise.
   */
  transaction<Result>(work: (tx: Tx) => Result, config?: SQLiteTransactionConfig): Result;
  /**
   * Runs `callback` after the outermost transaction commits, in order of registration. A rollback of the transaction
   * or the enclosing savepoint discards it. Callbacks run in a microtask, so the code right after the transaction
   * still sees exactly what it committed.
   * @param callback must not throw: the transaction is already committed
   */
  afterCommit(callback: () => void): void;
}

/** The database itself, for code that starts transactions. */
export interface Db extends Tx {
  readonly $client: Sqlite.Database;
}

/** State of one open database, shared with its transactions. */
export interface Connection {
  readonly raw: Sqlite.Database;
  /** Compiles a SQL statement. */
  readonly prepare: Sqlite.Database['prepare'];
  /** Seals the secrets that repositories write and opens the secrets they read. */
  readonly vault: Vault;
  /** Origin from which the keys of seeded organisations are derived. */
  readonly keyOrigin: KeyOrigin;
  /** Number of transactions started with `Tx.transaction` so far. */
  transactions: number;
  /** Values created by `perConnection`, keyed by their `create` function. */
  readonly values: Map<unknown, unknown>;
}

export interface OpenDatabase {
  db: Db;
  /** The SQLite connection underlying `db`. */
  raw: Sqlite.Database;
  close(): void;
}

/** A table's rows, as SQLite values. */
export interface TableRows {
  table: string;
  columns: readonly string[];
  values: readonly unknown[][];
}

interface DatabaseOptions extends Pick<Connection, 'vault' | 'keyOrigin'> {
  /** Receives every query that drizzle runs. */
  logger?: Logger;
  /** Compiles SQL statements. Defaults to the connection's `prepare`. */
  prepare?: Connection['prepare'];
}

/**
 * Wraps an open connection. Transactions use better-sqlite3, and `tx` is the database itself: there is only one
 * SQLite connection, so every query is part of the open transaction.
 */
export function createDatabase(raw: Sqlite.Database, { vault, keyOrigin, logger, prepare }: DatabaseOptions): Db {
  let callbacks: (() => void)[] = [];
  // Check the lifetime here, because drizzle calls its logger before each query and skips the query if the logger
  // throws.
  const logQuery: Logger['logQuery'] = (query, params) => {
    requireOpenLifetime();
    logger?.logQuery(query, params);
  };
  const db: Db = Object.assign(drizzle(raw, { logger: { logQuery } }), {
    connection: {
      raw,
      prepare: prepare ?? raw.prepare.bind(raw),
      vault,
      keyOrigin,
      transactions: 0,
      values: new Map(),
    },

    transaction<Result>(work: (tx: Tx) => Result, { behavior = 'deferred' }: SQLiteTransactionConfig = {}): Result {
      const isOutermost = !raw.inTransaction;
      if (isOutermost) db.connection.transactions += 1;
      const registered = callbacks.length;
      let result: Result;
      try {
        result = raw.transaction(() => work(db))[behavior]();
      } catch (reason) {
        callbacks.length = registered;
        throw reason;
      }
      if (isOutermost) scheduleCallbacks();
      return result;
    },

    afterCommit(callback: () => void) {
      if (raw.inTransaction) callbacks.push(callback);
      else queueMicrotask(callback);
    },
  });

  function scheduleCallbacks(): void {
    const due = callbacks;
    if (due.length === 0) return;
    callbacks = [];
    queueMicrotask(() => {
      for (const callback of due) callback();
    });
  }

  return db;
}

/**
 * Returns a getter for a value that each connection creates once, on first use.
 * @param create must not return undefined
 */
export function perConnection<Value>(create: (tx: Tx) => Value): (tx: Tx) => Value {
  return (tx) => {
    const { values } = tx.connection;
    const known = values.get(create);
    if (known !== undefined) return known as Value;
    const value = create(tx);
    values.set(create, value);
    return value;
  };
}

export const vaultOf = ({ connection }: Pick<Tx, 'connection'>): Vault => connection.vault;
