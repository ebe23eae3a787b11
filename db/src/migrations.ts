import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { drizzle, migrate, readMigrationFiles } from '#drizzle';
import { registerFoldCase } from './fold-case.ts';
import { projectPath } from './paths.ts';

const migrationsFolder = projectPath('db/migrations');

/** The table where drizzle's migrator records applied migrations. */
export const MIGRATIONS_TABLE = '__drizzle_migrations';

let timestamps: ReadonlyMap<string, number> | undefined;

/** Returns the timestamp of each migration in this version, keyed by hash. */
function migrationTimestamps(): ReadonlyMap<string, number> {
  timestamps ??= new Map(
    readMigrationFiles({ migrationsFolder }).map(({ hash, folderMillis }) => [hash, folderMillis]),
  );
  return timestamps;
}

interface AppliedMigration {
  hash: string;
  createdAt: number;
}

function appliedMigrations(raw: Sqlite.Database): AppliedMigration[] {
  const isRecorded = raw.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(MIGRATIONS_TABLE) !== undefined;
  if (!isRecorded) return [];
  return raw.prepare<[], AppliedMigration>(`SELECT hash, created_at AS createdAt FROM ${MIGRATIONS_TABLE}`).all();
}

/**
 * Returns `newer` if the database has a migration later than all migrations of this program, or `unreleased` if it
 * has an earlier migration unknown to this program, which was replaced before its release. Otherwise returns
 * undefined.
 */
export function unknownVersionReason(raw: Sqlite.Database): 'newer' | 'unreleased' | undefined {
  const unknown = appliedMigrations(raw).filter(({ hash }) => !migrationTimestamps().has(hash));
  if (unknown.length === 0) return undefined;
  const newest = Math.max(...migrationTimestamps().values());
  return unknown.some(({ createdAt }) => createdAt > newest) ? 'newer' : 'unreleased';
}

/**
 * Returns the name of the first table, index, trigger or view that the migrations create but the database lacks, or
 * undefined if none is missing. For a database of an older version, only the migration list is checked.
 */
export function findMissingObject(raw: Sqlite.Database): string | undefined {
  const present = new Set(raw.prepare<[], string>('SELECT name FROM sqlite_schema').pluck().all());
  if (present.size === 0) return undefined;
  if (!present.has(MIGRATIONS_TABLE)) return MIGRATIONS_TABLE;
  if (!isUpToDate(raw)) return undefined;
  const created = readWhole().matchAll(/^CREATE (?:UNIQUE |VIRTUAL )?(?:TABLE|INDEX|TRIGGER|VIEW) [`"]?(\w+)/gm);
  return [...created].map(([, name = '']) => name).find((name) => !present.has(name));
}

const readWhole = (): string => readFileSync(join(migrationsFolder, 'whole.sql'), 'utf8');

function isUpToDate(raw: Sqlite.Database): boolean {
  const applied = new Set(appliedMigrations(raw).map(({ hash }) => hash));
  return [...migrationTimestamps().keys()].every((hash) => applied.has(hash));
}

/**
 * Brings the schema up to date in one transaction, without writing if it is already current. An empty database is
 * created from `whole.sql` (see `whole-schema.ts`), which takes a sixth of the time of migrating step by step.
 */
export function applyMigrations(raw: Sqlite.Database): void {
  if (raw.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) {
    const whole = readWhole();
    raw.transaction(() => raw.exec(whole))();
  } else if (!isUpToDate(raw)) migrateStepwise(raw);
}

/** Applies migrations one after another. */
export function migrateStepwise(raw: Sqlite.Database): void {
  registerFoldCase(raw);
  migrate(drizzle(raw), { migrationsFolder, migrationsTable: MIGRATIONS_TABLE });
}
