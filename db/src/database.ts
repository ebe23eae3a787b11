import type Sqlite from 'better-sqlite3';
import type { Logger } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import type { BaseSQLiteDatabase, SQLiteTransactionConfig } from 'drizzle-orm/sqlite-core';
import { requireOpenLifetime } from './lifetime.ts';
import type { KeyOrigin } from './seed/key-source.ts';
import type { Vault } from './vault.ts';

type Queries = Omit<BaseSQLiteDatabase<'sync', Sqlite.RunResult>, 'transaction'>;

/** The database or a transaction on it; repositories accept both. */
export interface Tx extends Queries {
  readonly connection: Connection;
  /** Runs `work` in a transaction, or in a savepoint where one is open already. `work` must not return a promise. */
  transaction<Result>(work: (tx: Tx) => Result, config?: SQLiteTransactionConfig): Result;
  /**
   * Calls back after the outermost transaction has been committed, in order; never if it is rolled back, or the
   * savepoint in which this was called. Callbacks run in a microtask, so that the code after the transaction still sees
   * what it has committed.
   * @param callback must not throw: the transaction is already committed
   */
  afterCommit(callback: () => void): void;
}

/** The database itself, for code that begins transactions. */
export interface Db extends Tx {
  readonly $client: Sqlite.Database;
}

/** What belongs to one open database. Its transactions share it. */
export interface Connection {
  readonly raw: Sqlite.Database;
  /** Compiles a statement in SQL. */
  readonly prepare: Sqlite.Database['prepare'];
  /** Seals what repositories write, and opens what they read. */
  readonly vault: Vault;
  /** What the keys of its seeds are derived from. */
  readonly keyOrigin: KeyOrigin;
  /** Values of `perConnection`, by the function that creates them. */
  readonly values: Map<unknown, unknown>;
}

export interface OpenDatabase {
  db: Db;
  /** The SQLite connection that `db` uses. */
  raw: Sqlite.Database;
  close(): void;
}

/** Rows of one table, as SQLite values. */
export interface TableRows {
  table: string;
  columns: readonly string[];
  values: readonly unknown[][];
}

interface DatabaseOptions extends Pick<Connection, 'vault' | 'keyOrigin'> {
  /** Receives every query that drizzle runs. */
  logger?: Logger;
  /** Compiles the statements in SQL; the connection itself unless given. */
  prepare?: Connection['prepare'];
}

/**
 * Wraps an open connection. Transactions are better-sqlite3's, and `tx` is the database itself: SQLite has one
 * connection here, so every query is part of the open transaction.
 */
export function createDatabase(raw: Sqlite.Database, { vault, keyOrigin, logger, prepare }: DatabaseOptions): Db {
  let callbacks: (() => void)[] = [];
  // Drizzle calls its logger before each query, which is not run if the logger throws.
  const logQuery: Logger['logQuery'] = (query, params) => {
    requireOpenLifetime();
    logger?.logQuery(query, params);
  };
  const db: Db = Object.assign(drizzle(raw, { logger: { logQuery } }), {
    connection: { raw, prepare: prepare ?? raw.prepare.bind(raw), vault, keyOrigin, values: new Map() },

    transaction<Result>(work: (tx: Tx) => Result, { behavior = 'deferred' }: SQLiteTransactionConfig = {}): Result {
      const isOutermost = !raw.inTransaction;
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

/** The vault of a database, or of a transaction on it. */
export const vaultOf = ({ connection }: Pick<Tx, 'connection'>): Vault => connection.vault;
