import type Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { placeOf } from './place-of.ts';

const migrationsFolder = placeOf('db/migrations');

/** Where drizzle's migrator records what it has applied. */
export const MIGRATIONS_TABLE = '__drizzle_migrations';

function knownHashes(): string[] {
  return readMigrationFiles({ migrationsFolder }).map((migration) => migration.hash);
}

function appliedHashes(raw: Sqlite.Database): string[] {
  const isRecorded = raw.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(MIGRATIONS_TABLE) !== undefined;
  return isRecorded ? raw.prepare<[], string>(`SELECT hash FROM ${MIGRATIONS_TABLE}`).pluck().all() : [];
}

/** Whether the database has a migration that this program does not know. */
export function isNewerThanProgram(raw: Sqlite.Database): boolean {
  const known = new Set(knownHashes());
  return appliedHashes(raw).some((hash) => !known.has(hash));
}

/** Brings the schema up to date in one transaction; a database that is up to date is only read. */
export function applyMigrations(raw: Sqlite.Database): void {
  const applied = new Set(appliedHashes(raw));
  if (knownHashes().every((hash) => applied.has(hash))) return;
  migrate(drizzle(raw), { migrationsFolder, migrationsTable: MIGRATIONS_TABLE });
}
