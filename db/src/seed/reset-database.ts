import { createHash } from 'node:crypto';
import type Sqlite from 'better-sqlite3';
import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from '../database.ts';
import { rebuildMemberIndex, refreshMemberSearch } from '../member-index.ts';
import * as schema from '../schema/index.ts';
import { vaultOf } from '../vault.ts';
import { attachImage } from './attach-image.ts';
import { keySourceOf } from './key-source.ts';
import { type Seed, seedRows } from './seed-database.ts';
import { seedTime } from './seed-time.ts';
import { insertRows } from './table-rows.ts';
import { transactionWithoutForeignKeys } from './without-foreign-keys.ts';

/**
 * What a reset does not touch: the installation's keys, and the table that switches the triggers of the members off.
 */
const KEPT_TABLES = ['sealed_columns', 'signing_keys', 'member_trigger_rests'];

/** Every other table. */
const TABLES: readonly Table[] = Object.values<unknown>(schema).flatMap((table) => {
  if (!is(table, SQLiteTable)) return [];
  const { name, columns } = getTableConfig(table);
  return KEPT_TABLES.includes(name) ? [] : [{ name, columns: columns.map((column) => `"${column.name}"`) }];
});

/**
 * Returns to the freshly seeded state, in one transaction on the same connection: prepared statements stay valid, and
 * every row is as `seedDatabase(db, seed, now)` would have made it. Not to be called within a transaction.
 *
 * The rows are compared with those of a template, a second database that is attached to the connection, and replaced
 * where they differ. It holds the rows of one seed and one full hour (`seedTime`). Where there is none yet, or another
 * seed is wanted, or `now` is in another hour, the rows are made again and kept as the template.
 * @param now Milliseconds.
 */
export function resetDatabase(db: Db, seed: Seed, now: number): void {
  const raw = db.$client;
  const name = templateName(seed, now);
  const template = templates.get(raw);
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
      insertRows(raw, seedRows(seed, now, keySourceOf(db)), vaultOf(db));
    }),
  );
  if (seed === 'none') return;
  if (template?.copy) raw.exec('DETACH template');
  templates.set(raw, { name, image: raw.serialize() });
}

interface Template {
  /** Of the seed and hour whose rows it holds. */
  name: string;
  /** Its bytes; empty once it is attached. */
  image: Buffer;
  /** Takes its rows; made with the first reset that wants them, since many databases of tests are never reset. */
  copy?: () => void;
}

const templates = new WeakMap<Sqlite.Database, Template>();

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

/** From so many rows on, only those rows of a table are compared that have been written. */
const LARGE = 200;

/**
 * Makes a large table as it is in the template: the first time by comparing all of it, later by looking at the rows that
 * have been written since, which triggers note. Most tests write to few rows of few of these tables, and they hold
 * nearly all rows. No other connection writes: the database is locked.
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
      // No trigger tells of the rows that a REPLACE deletes.
      return (!isAsLong.get() && whole.copy()) || changed;
    },
    areAlike() {
      forget.run();
      wasCompared = true;
    },
  };
}

/** How the temporary tables and triggers of `watchedCopy` begin. */
const WATCHED = 'written_';

/** Another template may have other large tables. */
function forgetWatched(raw: Sqlite.Database): void {
  const made = raw.prepare<[], { type: string; name: string }>(
    `SELECT type, name FROM temp.sqlite_schema WHERE type IN ('trigger', 'table') AND name GLOB '${WATCHED}*'
     ORDER BY type DESC`,
  );
  for (const { type, name } of made.all()) raw.exec(`DROP ${type} temp."${name}"`);
}

/** Lets the first reset of a connection take its rows from the bytes that the connection was opened from. */
export function openedFrom(raw: Sqlite.Database, image: Buffer, name: string): void {
  templates.set(raw, { name, image });
}

/** One name for one seed and hour. Of a world its content counts: a test may send the same one before each case. */
export function templateName(seed: Seed, now: number): string {
  const name = typeof seed === 'string' ? seed : createHash('sha256').update(JSON.stringify(seed)).digest('base64url');
  return `${name} ${seedTime(now)}`;
}

interface Table {
  name: string;
  /** Quoted. */
  columns: string[];
}

interface Copy {
  /** Of the table. */
  name: string;
  /** Makes its rows as they are in the other database; returns whether any was different. */
  copy(): boolean;
  /** Called when the transaction in which it was copied has ended. */
  areAlike?(): void;
}

/**
 * Prepares what makes every row of a table as it is in an attached database with the same schema. A row that is equal
 * already stays where it is: a test changes few, and to compare thousands costs a fraction of writing them again.
 * @param among a table of row ids: only these rows are looked at
 */
function copyOf(raw: Sqlite.Database, from: string, { name, columns }: Table, among?: string): Copy {
  const row = ['rowid', ...columns].join(', ');
  const valuesOf = (table: string) => columns.map((column) => `${table}.${column}`).join(', ');
  const isAmong = (id: string) => (among ? `${id} IN (SELECT row FROM ${among}) AND` : '');
  // Each row beside its own: `EXCEPT` would sort both tables first.
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
  // What is left after the first is equal. To count is a tenth of the work of looking for each row.
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

/** Prepares what makes every row as it is in an attached database with the same schema, in one transaction. */
export const copyingAllRows = (raw: Sqlite.Database, from: string): (() => void) =>
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

/** Needed because the triggers allow deleting only what is older than `audit_retention` says. */
function emptyAuditTrail(raw: Sqlite.Database): void {
  raw.exec(`
    INSERT INTO audit_retention VALUES (1, 9223372036854775807);
    DELETE FROM audit_events;
    DELETE FROM audit_retention;
  `);
}
