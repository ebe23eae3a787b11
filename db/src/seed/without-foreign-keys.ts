import type Sqlite from 'better-sqlite3';

/**
 * All rows come from one sound source. Checking the foreign keys of each again would also prevent two optimisations of
 * SQLite: a DELETE that drops whole pages and an INSERT … SELECT that copies them. The check cannot be switched within
 * a transaction.
 */
export function transactionWithoutForeignKeys(raw: Sqlite.Database, work: () => void): void {
  raw.pragma('foreign_keys = OFF');
  try {
    raw.transaction(work)();
  } finally {
    raw.pragma('foreign_keys = ON');
  }
}
