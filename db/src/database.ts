import type Sqlite from 'better-sqlite3';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';

/** The database itself, for code that starts transactions. */
export type Db = BetterSQLite3Database & { $client: Sqlite.Database };

/** The database or a transaction on it; repositories accept both. */
export type Tx = BaseSQLiteDatabase<'sync', Sqlite.RunResult>;

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
