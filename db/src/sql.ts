import { TRANSLITERATIONS } from '@orchestrate/shared';
import { type SQL, type SQLiteTable, sql } from '#drizzle';
import type { Tx } from './database.ts';

/** Quotes a string for FTS5. Inside quotes, only the quote character is special and must be doubled (FTS5 §3.1). */
export const ftsPhrase = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * Returns true if a statement failed because another row already has the value.
 * @param column last column of the unique index, e.g. `members.primaryEmail`
 */
export function isUniqueViolation(reason: unknown, column: `${string}.${string}`): boolean {
  if (!(reason instanceof Error)) return false;
  const isUnique = 'code' in reason && reason.code === 'SQLITE_CONSTRAINT_UNIQUE';
  // SQLite lists the index columns: "UNIQUE constraint failed: members.orgCode, members.primaryEmail".
  return isUnique && reason.message.endsWith(column);
}

/** A row's position in insertion order (https://sqlite.org/rowidtable.html). */
export const ROW_OFFSET = sql<number>`rowid`;

/** Returns the newest row's offset, or 0 if the table is empty. */
export const lastRowOffset = (tx: Tx, table: SQLiteTable): number =>
  tx.select({ last: sql<number>`coalesce(max(rowid), 0)` }).from(table).get()?.last ?? 0;

/**
 * Implements `transliterate` in SQL without custom functions, because indexes use it and other programs read the
 * indexes too.
 */
export const transliterateSql = (text: SQL): SQL => {
  const replaced = Object.entries(TRANSLITERATIONS).reduce(
    (inner, [letter, written]) => sql`replace(${inner}, ${sql.raw(`'${letter}', '${written}'`)})`,
    text,
  );
  // Skip the replacements for ASCII names, which are the majority.
  return sql`CASE WHEN ${text} GLOB ${sql.raw("'*[^ -~]*'")} THEN ${replaced} ELSE ${text} END`;
};
