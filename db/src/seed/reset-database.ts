import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { getTableConfig, is, SQLiteTable } from '#drizzle';
import { type Db, perConnection, vaultOf } from '../database.ts';
import { rebuildMemberIndex, refreshMemberSearch } from '../member-index.ts';
import * as schema from '../schema/index.ts';
import { keySourceOf } from './key-source.ts';
import { type Seed, seedRows, transactionWithoutForeignKeys } from './seed-database.ts';
import { seedTime } from './seed-time.ts';
import { insertRows } from './table-rows.ts';

/** Tables that a reset leaves alone: the installation's keys and the switch for the member triggers. */
const KEPT_TABLES = ['sealed_columns', 'signing_keys', 'member_trigger_rests'];

/** Tables that a reset restores. */
const TABLES: readonly Table[] = Object.values<unknown>(schema).flatMap((table) => {
  if (!is(table, SQLiteTable)) return [];
  const { name, columns } = getTableConfig(table);
  return KEPT_TABLES.includes(name) ? [] : [{ name, columns: columns.map((column) => `"${column.name}"`) }];
});

/**
 * Restores the freshly seeded state in one transaction on the same connection. Prepared statements stay valid, and
 * every row equals the result of `seedDatabase(db, seed, now)`. Must not run inside a transaction.
 * Rows are compared with a template and replaced if they differ. The template is a second database, attached to the
 * connection, that contains the rows of one seed and one full hour (`seedTime`). If there is no template yet, or if
 * its seed or hour differs, the rows are generated again and stored as the template.
 * @param now in milliseconds
 */
export function resetDatabase(db: Db, seed: Seed, now: number): void {
  const raw = db.$client;
  const name = templateName(seed, now);
  const previousTemplate = templateOf(db);
  const { template } = previousTemplate;
  if (template?.name === name) {
    template.copy ??= attachTemplate(raw, template.image);
    template.image = Buffer.alloc(0);
    template.copy();
    return;
  }
  transactionWithoutForeignKeys(raw, () =>
    rebuildMemberIndex(raw, () => {
      emptyAuditTrail(raw);
      for (const table of TABLES) raw.exec(`DELETE FROM "${table.name}"`);
      insertRows(raw, seedRows(seed, now, keySourceOf(db.connection)), vaultOf(db));
    }),
  );
  if (seed === 'none') return;
  if (template?.copy) raw.exec('DETACH template');
  previousTemplate.template = { name, image: raw.serialize() };
}

interface Template {
  /** Name from `templateName`. */
  name: string;
  /** Serialised database; empty once it is attached. */
  image: Buffer;
  /**
   * Restores all rows from the template. Created by the first reset that needs it, because many test databases are
   * never reset.
   */
  copy?: () => void;
}

const templateOf = perConnection((): { template?: Template } => ({}));

function attachTemplate(raw: Sqlite.Database, image: Buffer): () => void {
  attachImage(raw, image, 'template');
  forgetWatched(raw);
  const copies = TABLES.map((table) => {
    const count = raw.prepare<[], number>(`SELECT count(*) FROM template."${table.name}"`).pluck();
    return (count.get() ?? 0) >= LARGE ? watchedCopy(raw, table) : copyOf(raw, 'template', table);
  });
  const copy = copyingRows(raw, copies);
  return () => {
    copy();
    for (const { areAlike } of copies) areAlike?.();
  };
}

/** In tables with at least this many rows, only changed rows are compared after the first reset. */
const LARGE = 200;

/**
 * Restores a large table from the template. The first restore compares the whole table, and later restores compare
 * only the rows that triggers recorded as changed. Most tests change a few rows in a few large tables, which contain
 * nearly all rows. The database is locked, so no other connection can write.
 */
function watchedCopy(raw: Sqlite.Database, table: Table): Copy {
  const { name } = table;
  const notes = `temp."${WATCHED}${name}"`;
  raw.exec(`CREATE TABLE ${notes} (row INTEGER PRIMARY KEY)`);
  const note = (row: string) => `INSERT OR IGNORE INTO "${WATCHED}${name}" VALUES (${row});`;
  for (const [change, noting] of [
    ['INSERT', note('NEW.rowid')],
    ['UPDATE', note('OLD.rowid') + note('NEW.rowid')],
    ['DELETE', note('OLD.rowid')],
  ]) {
    raw.exec(`CREATE TEMP TRIGGER "${WATCHED}${name}_${change}" AFTER ${change} ON main."${name}" BEGIN ${noting} END`);
  }
  const forget = raw.prepare(`DELETE FROM ${notes}`);
  const isAsLong = raw
    .prepare<[], 0 | 1>(`SELECT (SELECT count(*) FROM main."${name}") = (SELECT count(*) FROM template."${name}")`)
    .pluck();
  const whole = copyOf(raw, 'template', table);
  const written = copyOf(raw, 'template', table, notes);
  let wasCompared = false;
  return {
    name,
    copy() {
      const changed = wasCompared ? written.copy() : whole.copy();
      // Triggers don't report rows deleted by REPLACE, so compare the whole table if its row count differs.
      return (!isAsLong.get() && whole.copy()) || changed;
    },
    areAlike() {
      forget.run();
      wasCompared = true;
    },
  };
}

/** Prefix of the temporary tables and triggers of `watchedCopy`. */
const WATCHED = 'written_';

/** Drops the temporary tables and triggers, because a new template can have other large tables. */
function forgetWatched(raw: Sqlite.Database): void {
  const made = raw.prepare<[], { type: string; name: string }>(
    `SELECT type, name FROM temp.sqlite_schema WHERE type IN ('trigger', 'table') AND name GLOB '${WATCHED}*'
     ORDER BY type DESC`,
  );
  for (const { type, name } of made.all()) raw.exec(`DROP ${type} temp."${name}"`);
}

/** Sets the image that a connection was opened from as the template for its first reset. */
export function setResetTemplate(db: Db, image: Buffer, name: string): void {
  templateOf(db).template = { name, image };
}

/**
 * Returns a template name for a seed and hour. Worlds are named by content, because tests may send the same world
 * before each case.
 */
export function templateName(seed: Seed, now: number): string {
  const name = typeof seed === 'string' ? seed : createHash('sha256').update(JSON.stringify(seed)).digest('base64url');
  return `${name} ${seedTime(now)}`;
}

interface Table {
  name: string;
  /** Quoted column names. */
  columns: string[];
}

interface Copy {
  name: string;
  /** Copies the rows from the other database and returns whether any row was different. */
  copy(): boolean;
  /** Called after the transaction that copied the table has committed. */
  areAlike?(): void;
}

/**
 * Prepares statements that make a table's rows equal to those in an attached database with the same schema. Equal
 * rows are not rewritten. Tests change few rows, and comparing thousands costs a fraction of writing them.
 * @param among a table of row IDs that limits the comparison
 */
function copyOf(raw: Sqlite.Database, from: string, { name, columns }: Table, among?: string): Copy {
  const row = ['rowid', ...columns].join(', ');
  const valuesOf = (table: string) => columns.map((column) => `${table}.${column}`).join(', ');
  const isAmong = (id: string) => (among ? `${id} IN (SELECT row FROM ${among}) AND` : '');
  // Compares row by row, because `EXCEPT` would sort both tables first.
  const drop = raw.prepare(
    `DELETE FROM main."${name}" WHERE rowid IN (
       SELECT here.rowid FROM main."${name}" here LEFT JOIN ${from}."${name}" there ON there.rowid = here.rowid
       WHERE ${isAmong('here.rowid')} (there.rowid IS NULL OR (${valuesOf('here')}) IS NOT (${valuesOf('there')})))`,
  );
  const add = raw.prepare(
    `INSERT INTO main."${name}" (${row})
     SELECT ${row} FROM ${from}."${name}"
     WHERE ${isAmong('rowid')} rowid NOT IN (SELECT rowid FROM main."${name}")`,
  );
  // Once differing rows are deleted, the tables are equal if their row counts match. Counting takes a tenth of the
  // time needed to look up each row.
  const isAnyMissing = raw
    .prepare<[], 0 | 1>(`SELECT (SELECT count(*) FROM main."${name}") < (SELECT count(*) FROM ${from}."${name}")`)
    .pluck();
  return {
    name,
    copy() {
      const dropped = drop.run().changes;
      const added = isAnyMissing.get() ? add.run().changes : 0;
      return dropped + added > 0;
    },
  };
}

/**
 * Returns a function that makes all rows equal to those in an attached database with the same schema, in one
 * transaction.
 */
export const createRowCopier = (raw: Sqlite.Database, from: string): (() => void) =>
  copyingRows(
    raw,
    TABLES.map((table) => copyOf(raw, from, table)),
  );

function copyingRows(raw: Sqlite.Database, copies: readonly Copy[]): () => void {
  return () =>
    transactionWithoutForeignKeys(raw, () =>
      refreshMemberSearch(raw, () => {
        emptyAuditTrail(raw);
        const changed = copies.filter(({ copy }) => copy());
        return changed.some(({ name }) => name === 'members');
      }),
    );
}

/** Deletes all audit events. The triggers allow this only for events older than `audit_retention`. */
function emptyAuditTrail(raw: Sqlite.Database): void {
  raw.exec(`
    INSERT INTO audit_retention VALUES (1, 9223372036854775807);
    DELETE FROM audit_events;
    DELETE FROM audit_retention;
  `);
}

/**
 * Attaches a serialised database under a name. SQLite can only attach files, so the bytes are written to a folder
 * that only its owner can read, and the file is deleted before this function returns. On Windows, open files can't be
 * deleted, so the system removes the file with its other temporary files.
 */
export function attachImage(raw: Sqlite.Database, image: Buffer, name: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-'));
  try {
    const file = join(folder, 'image.db');
    writeFileSync(file, image);
    raw.prepare(`ATTACH ? AS ${name}`).run(file);
    // SQLite opens the file on the first read, after which it can be deleted.
    raw.prepare(`SELECT count(*) FROM ${name}.sqlite_schema`).get();
  } finally {
    removeQuietly(folder);
  }
}

function removeQuietly(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Windows can't delete a file that is still open.
  }
}
