import type Sqlite from 'better-sqlite3';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';

/** The database itself, for code that begins transactions. */
export type Db = BetterSQLite3Database & { $client: Sqlite.Database };

/** What a repository works with: the database, or a transaction on it. */
export type Tx = BaseSQLiteDatabase<'sync', Sqlite.RunResult>;

export interface OpenDatabase {
  db: Db;
  /** The connection below `db`. */
  raw: Sqlite.Database;
  close(): void;
}

/** Rows of one table, as values for SQLite. */
export interface TableRows {
  table: string;
  columns: readonly string[];
  values: readonly unknown[][];
}
