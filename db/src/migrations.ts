import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { giveFoldCase } from './fold-case.ts';
import { placeOf } from './place-of.ts';

const migrationsFolder = placeOf('db/migrations');

/** Where drizzle's migrator records what it has applied. */
export const MIGRATIONS_TABLE = '__drizzle_migrations';

let known: ReadonlySet<string> | undefined;

function knownHashes(): ReadonlySet<string> {
  known ??= new Set(readMigrationFiles({ migrationsFolder }).map((migration) => migration.hash));
  return known;
}

function appliedHashes(raw: Sqlite.Database): string[] {
  const isRecorded = raw.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(MIGRATIONS_TABLE) !== undefined;
  return isRecorded ? raw.prepare<[], string>(`SELECT hash FROM ${MIGRATIONS_TABLE}`).pluck().all() : [];
}

/** Whether the database has a migration that this program does not know. */
export function isNewerThanProgram(raw: Sqlite.Database): boolean {
  return appliedHashes(raw).some((hash) => !knownHashes().has(hash));
}

/**
 * The name of the first table, index, trigger or view that the migrations make and the database lacks; undefined if it
 * has them all. In a database of an older version, only the list of migrations is checked.
 */
export function missingPart(raw: Sqlite.Database): string | undefined {
  const present = new Set(raw.prepare<[], string>('SELECT name FROM sqlite_schema').pluck().all());
  if (present.size === 0) return undefined;
  if (!present.has(MIGRATIONS_TABLE)) return MIGRATIONS_TABLE;
  if (!isUpToDate(raw)) return undefined;
  const made = readWhole().matchAll(/^CREATE (?:UNIQUE |VIRTUAL )?(?:TABLE|INDEX|TRIGGER|VIEW) [`"]?(\w+)/gm);
  return [...made].map(([, name = '']) => name).find((name) => !present.has(name));
}

const readWhole = (): string => readFileSync(join(migrationsFolder, 'whole.sql'), 'utf8');

function isUpToDate(raw: Sqlite.Database): boolean {
  const applied = new Set(appliedHashes(raw));
  return [...knownHashes()].every((hash) => applied.has(hash));
}

/**
 * Brings the schema up to date in one transaction; a database that is up to date is only read. An empty one gets at
 * once what all migrations together make (`whole-schema.ts`), a sixth of the work of making and changing it step by
 * step.
 */
export function applyMigrations(raw: Sqlite.Database): void {
  if (raw.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) {
    const whole = readWhole();
    raw.transaction(() => raw.exec(whole))();
  } else if (!isUpToDate(raw)) migrateStepwise(raw);
}

/** Applies one migration after the other. */
export function migrateStepwise(raw: Sqlite.Database): void {
  giveFoldCase(raw);
  migrate(drizzle(raw), { migrationsFolder, migrationsTable: MIGRATIONS_TABLE });
}
