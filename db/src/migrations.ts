import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { giveFoldCase } from './fold-case.ts';
import { placeOf } from './paths.ts';

const migrationsFolder = placeOf('db/migrations');

/** Where drizzle's migrator records what it has applied. */
export const MIGRATIONS_TABLE = '__drizzle_migrations';

let known: ReadonlyMap<string, number> | undefined;

/** Returns the timestamp of each migration of this version, by its hash. */
function knownMigrations(): ReadonlyMap<string, number> {
  known ??= new Map(readMigrationFiles({ migrationsFolder }).map(({ hash, folderMillis }) => [hash, folderMillis]));
  return known;
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
 * Returns `newer` if the database has a migration later than all of this program, `unreleased` if it has an earlier one
 * that this program doesn't have: such migrations were replaced before they were released. Otherwise undefined.
 */
export function unknownVersion(raw: Sqlite.Database): 'newer' | 'unreleased' | undefined {
  const unknown = appliedMigrations(raw).filter(({ hash }) => !knownMigrations().has(hash));
  if (unknown.length === 0) return undefined;
  const newest = Math.max(...knownMigrations().values());
  return unknown.some(({ createdAt }) => createdAt > newest) ? 'newer' : 'unreleased';
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
  const applied = new Set(appliedMigrations(raw).map(({ hash }) => hash));
  return [...knownMigrations().keys()].every((hash) => applied.has(hash));
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
