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

/** What a reset does not touch: the installation's keys, and what tells the triggers of the members to rest. */
const KEPT_TABLES = ['sealed_columns', 'signing_keys', 'member_trigger_rests'];

/** Every other table with its columns, quoted. */
const TABLES = Object.values<unknown>(schema).flatMap((table) => {
  if (!is(table, SQLiteTable)) return [];
  const { name, columns } = getTableConfig(table);
  return KEPT_TABLES.includes(name) ? [] : [{ name, columns: columns.map((column) => `"${column.name}"`).join(', ') }];
});

/**
 * Returns to the freshly seeded state, in one transaction on the same connection: prepared statements stay valid, and
 * every row is as `seedDatabase(db, seed, now)` would have made it. Not to be called within a transaction.
 *
 * The rows are compared with those of a template, a second database that is attached to the connection, and replaced where
 * they differ. It holds the rows of one seed and one full hour (`seedTime`). Where there is none yet, or another seed is wanted, or `now` is in another hour,
 * because time has passed or somebody has set the clock, the rows are made again and kept as the template.
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
  return copyingRows(raw, 'template');
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
 * Prepares what makes every row as it is in an attached database with the same schema, in one transaction. A row that is
 * equal already stays where it is: a test changes few, and to compare thousands costs a fraction of writing them again.
 */
export function copyingRows(raw: Sqlite.Database, from: string): () => void {
  const copies = TABLES.map(({ name, columns }) => {
    const row = `rowid, ${columns}`;
    const drop = raw.prepare(
      `DELETE FROM main."${name}" WHERE rowid IN (
         SELECT rowid FROM (SELECT ${row} FROM main."${name}" EXCEPT SELECT ${row} FROM ${from}."${name}"))`,
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
