import type Sqlite from 'better-sqlite3';

/**
 * Runs `work` in a transaction without foreign key checks. All rows come from one valid source, and checking them again
 * would also prevent two optimisations of SQLite: a DELETE that drops whole pages and an INSERT … SELECT that copies
 * them. The check cannot be switched within a transaction.
 */
export function transactionWithoutForeignKeys(raw: Sqlite.Database, work: () => void): void {
  raw.pragma('foreign_keys = OFF');
  try {
    raw.transaction(work)();
  } finally {
    raw.pragma('foreign_keys = ON');
  }
}
