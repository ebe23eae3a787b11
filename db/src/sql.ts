import { TRANSLITERATIONS } from '@orchestrate/shared';
import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Tx } from './database.ts';

/** Quotes a text for FTS5: inside quotes only the quote itself is special, and is doubled (FTS5 §3.1). */
export const ftsPhrase = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * Returns whether a statement failed because another row already has the value.
 * @param column the last column of the unique index, e.g. `members.primaryEmail`
 */
export function isTaken(reason: unknown, column: `${string}.${string}`): boolean {
  if (!(reason instanceof Error)) return false;
  const isUnique = 'code' in reason && reason.code === 'SQLITE_CONSTRAINT_UNIQUE';
  // SQLite names the columns of the index: "UNIQUE constraint failed: members.orgCode, members.primaryEmail".
  return isUnique && reason.message.endsWith(column);
}

/** A row's offset in the order of insertion (https://sqlite.org/rowidtable.html). */
export const ROW_OFFSET = sql<number>`rowid`;

/** Returns the offset of the newest row, or 0. */
export const lastRowOffset = (tx: Tx, table: SQLiteTable): number =>
  tx.select({ last: sql<number>`coalesce(max(rowid), 0)` }).from(table).get()?.last ?? 0;

/** `transliterate` in SQL, without custom functions: it is used in indexes, which other programs read too. */
export const transliterated = (text: SQL): SQL => {
  const replaced = Object.entries(TRANSLITERATIONS).reduce(
    (inner, [letter, written]) => sql`replace(${inner}, ${sql.raw(`'${letter}', '${written}'`)})`,
    text,
  );
  // Most names are ASCII.
  return sql`CASE WHEN ${text} GLOB ${sql.raw("'*[^ -~]*'")} THEN ${replaced} ELSE ${text} END`;
};
