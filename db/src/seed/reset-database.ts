import { createHash } from 'node:crypto';
import type Sqlite from 'better-sqlite3';
import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from '../database.ts';
import { rebuildMemberIndex, refreshMemberSearch } from '../member-index.ts';
import * as schema from '../schema/index.ts';
import { vaultOf } from '../vault.ts';
import { attachImage } from './attach-image.ts';
import { type Seed, seedRows } from './seed-database.ts';
import { seedTime } from './seed-time.ts';
import { insertRows } from './table-rows.ts';
import { transactionWithoutForeignKeys } from './without-foreign-keys.ts';

/**
 * What a reset does not touch: the installation's keys, and the table that switches the triggers of the members off.
 */
const KEPT_TABLES = ['sealed_columns', 'signing_keys', 'member_trigger_rests'];

/** Every other table with its columns, each quoted. */
const TABLES = Object.values<unknown>(schema).flatMap((table) => {
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
      insertRows(raw, seedRows(seed, now), vaultOf(db));
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
  const watched = watchLargeTables(raw);
  const copy = copyingRows(raw, 'template', watched.mayDiffer);
  return () => {
    copy();
    watched.areAlike();
  };
}

/** From so many rows on, a table is compared only after a write to it. */
const LARGE = 200;

/**
 * Notes which of the template's large tables have been written to since the last reset: most tests write to none of
 * them, and they hold nearly all rows. No other connection writes: the database is locked.
 */
function watchLargeTables(raw: Sqlite.Database): { mayDiffer(table: string): boolean; areAlike(): void } {
  const names = TABLES.map(({ name }) => name).filter((name) => {
    const rows = raw.prepare<[], number>(`SELECT count(*) FROM template."${name}"`).pluck();
    return (rows.get() ?? 0) >= LARGE;
  });
  raw.exec('CREATE TEMP TABLE IF NOT EXISTS written (name TEXT NOT NULL)');
  for (const name of names) {
    for (const change of ['INSERT', 'UPDATE', 'DELETE']) {
      raw.exec(
        `CREATE TEMP TRIGGER IF NOT EXISTS "written_${name}_${change}" AFTER ${change} ON main."${name}"
         WHEN NOT EXISTS (SELECT 1 FROM temp.written WHERE name = '${name}')
         BEGIN INSERT INTO written VALUES ('${name}'); END`,
      );
    }
  }
  const written = raw.prepare<[], string>('SELECT name FROM temp.written').pluck();
  const forget = raw.prepare('DELETE FROM temp.written');
  let wereCompared = false;
  return {
    mayDiffer: (table) => !wereCompared || !names.includes(table) || written.all().includes(table),
    areAlike() {
      forget.run();
      wereCompared = true;
    },
  };
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

/**
 * Prepares what makes every row as it is in an attached database with the same schema, in one transaction. A row that
 * is equal already stays where it is: a test changes few, and to compare thousands costs a fraction of writing them
 * again.
 * @param mayDiffer tables for which it returns false are left alone
 */
export function copyingRows(raw: Sqlite.Database, from: string, mayDiffer = (_table: string) => true): () => void {
  const copies = TABLES.map(({ name, columns }) => {
    const row = ['rowid', ...columns].join(', ');
    const valuesOf = (table: string) => columns.map((column) => `${table}.${column}`).join(', ');
    // Each row beside its own: `EXCEPT` would sort both tables first.
    const drop = raw.prepare(
      `DELETE FROM main."${name}" WHERE rowid IN (
         SELECT here.rowid FROM main."${name}" here LEFT JOIN ${from}."${name}" there ON there.rowid = here.rowid
         WHERE there.rowid IS NULL OR (${valuesOf('here')}) IS NOT (${valuesOf('there')}))`,
    );
    const add = raw.prepare(
      `INSERT INTO main."${name}" (${row})
       SELECT ${row} FROM ${from}."${name}" WHERE rowid NOT IN (SELECT rowid FROM main."${name}")`,
    );
    // What is left after the first is equal. To count is a tenth of the work of looking for each row.
    const isAnyMissing = raw
      .prepare<[], 0 | 1>(`SELECT (SELECT count(*) FROM main."${name}") < (SELECT count(*) FROM ${from}."${name}")`)
      .pluck();
    function copy(): boolean {
      const dropped = drop.run().changes;
      const added = isAnyMissing.get() ? add.run().changes : 0;
      return dropped + added > 0;
    }
    return { name, copy };
  });
  return () =>
    transactionWithoutForeignKeys(raw, () =>
      refreshMemberSearch(raw, () => {
        emptyAuditTrail(raw);
        const changed = copies.filter(({ name, copy }) => mayDiffer(name) && copy());
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
