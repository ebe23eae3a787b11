import { createHash } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import type { Db } from '../database.ts';
import { rebuildMemberIndex } from '../member-index.ts';
import { MIGRATIONS_TABLE } from '../migrations.ts';
import { vaultOf } from '../vault.ts';
import { type Seed, seedRows } from './seed-database.ts';
import { seedTime } from './seed-time.ts';
import { insertRows, insertValues } from './table-rows.ts';

/**
 * What a reset does not copy: the installation's keys, the schema's own tables, and what is derived from the members.
 */
const KEPT_TABLES = [MIGRATIONS_TABLE, 'sealed_columns', 'signing_keys', 'member_counts', 'member_trigger_rests'];

/**
 * Returns to the freshly seeded state, in one transaction on the same connection: prepared statements stay valid, and
 * every row is as `seedDatabase(db, seed, now)` would have made it. Not to be called within a transaction.
 *
 * The rows are copied from a template, a second database in memory that is attached to the connection. It holds the
 * rows of one seed and one full hour (`seedTime`). Where there is none yet, or another seed is wanted, or `now` is in
 * another hour, because time has passed or somebody has set the clock, the rows are made again and kept as the template.
 * A database that was opened from a seeded one's bytes has no template before its first reset: many are never reset.
 * @param now Milliseconds.
 */
export function resetDatabase(db: Db, seed: Seed, now: number): void {
  const raw = db.$client;
  const tables = tablesOf(raw);
  const kept = templates.get(raw);
  const template = kept?.name === templateName(seed, now) ? kept : undefined;
  transactionWithoutForeignKeys(raw, () =>
    rebuildMemberIndex(raw, () => {
      emptyAuditTrail(raw);
      for (const table of tables) raw.exec(`DELETE FROM main."${table}"`);
      if (seed === 'none') return;
      if (template?.image) insertRowsOf(template.image, tables, raw);
      else if (template) copyTables(raw, tables, 'template', 'main');
      else insertRows(raw, seedRows(seed, now), vaultOf(db));
    }),
  );
  if (seed !== 'none' && (!template || template.image)) keepAsTemplate(raw, seed, now);
}

interface Template {
  /** Of the seed and hour whose rows it holds. */
  name: string;
  /** The bytes that the connection was opened from. Absent once the template is attached to it. */
  image?: Buffer;
}

const templates = new WeakMap<Sqlite.Database, Template>();

/** Lets the first reset of a connection take its rows from the bytes that the connection was opened from. */
export function openedFrom(raw: Sqlite.Database, image: Buffer, name: string): void {
  templates.set(raw, { name, image });
}

/** One name for one seed and hour. Of a world its content counts: a test may send the same one before each case. */
export function templateName(seed: Seed, now: number): string {
  const name = typeof seed === 'string' ? seed : createHash('sha256').update(JSON.stringify(seed)).digest('base64url');
  return `${name} ${seedTime(now)}`;
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
function keepAsTemplate(raw: Sqlite.Database, seed: Seed, now: number): void {
  const tables = tablesOf(raw);
  const former = templates.get(raw);
  if (former && !former.image) raw.exec('DETACH template');
  raw.exec(`ATTACH ':memory:' AS template`);
  for (const statement of schemaOf(raw, tables)) {
    raw.exec(statement.replace(/^CREATE (TABLE|INDEX|UNIQUE INDEX) /, 'CREATE $1 template.'));
  }
  transactionWithoutForeignKeys(raw, () => copyTables(raw, tables, 'main', 'template'));
  templates.set(raw, { name: templateName(seed, now) });
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

function copyTables(raw: Sqlite.Database, tables: readonly string[], from: string, to: string): void {
  for (const table of tables) raw.exec(`INSERT INTO ${to}."${table}" SELECT * FROM ${from}."${table}"`);
}

/** Secrets stay sealed: both databases have the same key. */
function insertRowsOf(image: Buffer, tables: readonly string[], raw: Sqlite.Database): void {
  const source = new Sqlite(image);
  for (const table of tables) {
    const selected = source.prepare(`SELECT * FROM "${table}"`).raw();
    const columns = selected.columns().map(({ name }) => name);
    insertValues(raw, { table, columns, values: selected.all() as unknown[][] });
  }
  source.close();
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
