import { HOUR } from '@orchestrate/shared';
import type Sqlite from 'better-sqlite3';
import type { Db } from '../database.ts';
import { rebuildMemberIndex } from '../member-index.ts';
import { MIGRATIONS_TABLE } from '../migrations.ts';
import { vaultOf } from '../vault.ts';
import { demoRows } from './demo-rows.ts';
import type { SeedName } from './seed-database.ts';
import { seedTime } from './seed-time.ts';
import { insertRows } from './table-rows.ts';

/**
 * What a reset does not copy: the installation's keys, the schema's own tables, and what is derived from the members.
 */
const KEPT_TABLES = [MIGRATIONS_TABLE, 'sealed_columns', 'signing_keys', 'member_counts', 'member_trigger_rests'];

/**
 * Returns to the freshly seeded state, in one transaction on the same connection: prepared statements stay valid, and
 * every row is as `seedDatabase(db, seed, now)` would have made it. Not to be called within a transaction.
 *
 * The rows are copied from a template, a second database in memory that is attached to the connection. It holds the
 * rows of one full hour (`seedTime`). Where there is none yet, or `now` is in another hour, because time has passed or
 * somebody has set the clock, the rows are made again and kept as the template.
 * @param now Milliseconds.
 */
export function resetDatabase(db: Db, seed: SeedName, now: number): void {
  const raw = db.$client;
  const tables = tablesOf(raw);
  const base = seedTime(now);
  const hasTemplate = templateTime(raw) === base;
  transactionWithoutForeignKeys(raw, () =>
    rebuildMemberIndex(raw, () => {
      emptyAuditTrail(raw);
      for (const table of tables) raw.exec(`DELETE FROM main."${table}"`);
      if (seed === 'none') return;
      if (hasTemplate) copyTables(raw, tables, 'template', 'main');
      else insertRows(raw, demoRows(base), vaultOf(db));
    }),
  );
  if (seed === 'demo' && !hasTemplate) keepAsTemplate(raw, now);
}

/** Replaces every row by those of an attached database with the same schema, in one transaction. */
export function replaceRows(raw: Sqlite.Database, from: string): void {
  const tables = tablesOf(raw);
  transactionWithoutForeignKeys(raw, () =>
    rebuildMemberIndex(raw, () => {
      emptyAuditTrail(raw);
      for (const table of tables) raw.exec(`DELETE FROM main."${table}"`);
      copyTables(raw, tables, from, 'main');
    }),
  );
}

/** Keeps a copy of a freshly seeded database, for `now` in milliseconds, so that the next reset finds its template. */
export function keepAsTemplate(raw: Sqlite.Database, now: number): void {
  const tables = tablesOf(raw);
  if (templateTime(raw) !== undefined) raw.exec('DETACH template');
  raw.exec(`ATTACH ':memory:' AS template`);
  for (const statement of schemaOf(raw, tables)) {
    raw.exec(statement.replace(/^CREATE (TABLE|INDEX|UNIQUE INDEX) /, 'CREATE $1 template.'));
  }
  transactionWithoutForeignKeys(raw, () => copyTables(raw, tables, 'main', 'template'));
  raw.pragma(`template.user_version = ${seedTime(now) / HOUR}`);
}

/**
 * All rows come from one sound source. Checking the foreign keys of each again would also prevent two optimisations of
 * SQLite: a DELETE that drops whole pages and an INSERT … SELECT that copies them. The check cannot be switched within
 * a transaction.
 */
function transactionWithoutForeignKeys(raw: Sqlite.Database, work: () => void): void {
  raw.pragma('foreign_keys = OFF');
  try {
    raw.transaction(work)();
  } finally {
    raw.pragma('foreign_keys = ON');
  }
}

/** Needed because the triggers allow deleting only what is older than `audit_retention` says. */
function emptyAuditTrail(raw: Sqlite.Database): void {
  raw.exec(`
    INSERT INTO audit_retention VALUES (1, 9223372036854775807);
    DELETE FROM audit_events;
    DELETE FROM audit_retention;
  `);
}

/** The `seedTime` of the attached template, undefined where there is none. */
function templateTime(raw: Sqlite.Database): number | undefined {
  const isAttached = raw.prepare(`SELECT 1 FROM pragma_database_list WHERE name = 'template'`).get() !== undefined;
  return isAttached ? Number(raw.pragma('template.user_version', { simple: true })) * HOUR : undefined;
}

function copyTables(raw: Sqlite.Database, tables: readonly string[], from: string, to: string): void {
  for (const table of tables) raw.exec(`INSERT INTO ${to}."${table}" SELECT * FROM ${from}."${table}"`);
}

/** Ordinary tables, without views and the search index. */
function tablesOf(raw: Sqlite.Database): string[] {
  const tables = raw
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'`,
    )
    .pluck()
    .all();
  return tables.filter((table) => !KEPT_TABLES.includes(table));
}

/** The exact SQL of tables and indexes: SQLite copies whole pages only between identical tables. */
function schemaOf(raw: Sqlite.Database, tables: readonly string[]): string[] {
  return raw
    .prepare<[string], string>(
      `SELECT sql FROM main.sqlite_schema
       WHERE type IN ('table', 'index') AND sql IS NOT NULL AND tbl_name IN (SELECT value FROM json_each(?))`,
    )
    .pluck()
    .all(JSON.stringify(tables));
}
