import { createHash } from 'node:crypto';
import type Sqlite from 'better-sqlite3';
import type { Db } from '../database.ts';
import { rebuildMemberIndex } from '../member-index.ts';
import { MIGRATIONS_TABLE } from '../migrations.ts';
import { vaultOf } from '../vault.ts';
import { attachImage } from './attach-image.ts';
import { type Seed, seedRows } from './seed-database.ts';
import { seedTime } from './seed-time.ts';
import { insertRows } from './table-rows.ts';
import { transactionWithoutForeignKeys } from './without-foreign-keys.ts';

/**
 * What a reset does not copy: the installation's keys, the schema's own tables, and what is derived from the members.
 */
const KEPT_TABLES = [MIGRATIONS_TABLE, 'sealed_columns', 'signing_keys', 'member_counts', 'member_trigger_rests'];

/**
 * Returns to the freshly seeded state, in one transaction on the same connection: prepared statements stay valid, and
 * every row is as `seedDatabase(db, seed, now)` would have made it. Not to be called within a transaction.
 *
 * The rows are copied from a template, a second database that is attached to the connection. It holds the rows of one
 * seed and one full hour (`seedTime`). Where there is none yet, or another seed is wanted, or `now` is in another hour,
 * because time has passed or somebody has set the clock, the rows are made again and kept as the template.
 * @param now Milliseconds.
 */
export function resetDatabase(db: Db, seed: Seed, now: number): void {
  const raw = db.$client;
  const tables = tablesOf(raw);
  const name = templateName(seed, now);
  const template = templates.get(raw);
  const isKnown = template?.name === name;
  if (isKnown) attachTemplate(raw, template);
  transactionWithoutForeignKeys(raw, () =>
    rebuildMemberIndex(raw, () => {
      emptyAuditTrail(raw);
      for (const table of tables) raw.exec(`DELETE FROM main."${table}"`);
      if (isKnown) copyTables(raw, tables, 'template');
      else if (seed !== 'none') insertRows(raw, seedRows(seed, now), vaultOf(db));
    }),
  );
  if (isKnown || seed === 'none') return;
  if (template?.isAttached) raw.exec('DETACH template');
  templates.set(raw, { name, image: raw.serialize(), isAttached: false });
}

interface Template {
  /** Of the seed and hour whose rows it holds. */
  name: string;
  /** Its bytes; empty once it is attached. */
  image: Buffer;
  isAttached: boolean;
}

const templates = new WeakMap<Sqlite.Database, Template>();

/** Attached with the first reset that wants it: many databases of tests are never reset. */
function attachTemplate(raw: Sqlite.Database, template: Template): void {
  if (template.isAttached) return;
  attachImage(raw, template.image, 'template');
  template.image = Buffer.alloc(0);
  template.isAttached = true;
}

/** Lets the first reset of a connection take its rows from the bytes that the connection was opened from. */
export function openedFrom(raw: Sqlite.Database, image: Buffer, name: string): void {
  templates.set(raw, { name, image, isAttached: false });
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
      copyTables(raw, tables, from);
    }),
  );
}

/** Needed because the triggers allow deleting only what is older than `audit_retention` says. */
function emptyAuditTrail(raw: Sqlite.Database): void {
  raw.exec(`
    INSERT INTO audit_retention VALUES (1, 9223372036854775807);
    DELETE FROM audit_events;
    DELETE FROM audit_retention;
  `);
}

function copyTables(raw: Sqlite.Database, tables: readonly string[], from: string): void {
  for (const table of tables) raw.exec(`INSERT INTO main."${table}" SELECT * FROM ${from}."${table}"`);
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
