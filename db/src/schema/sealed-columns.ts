import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The sealed columns, and the key of each (decision 080). A column not listed here is in plain text, and gets sealed at
 * the next start.
 */
export const sealedColumns = sqliteTable('sealed_columns', {
  /** `table.column`. */
  name: text().primaryKey(),
  keyId: text().notNull(),
  /** The column's name, sealed: a key that opens it is the right one. */
  probe: text().notNull(),
  /**
   * 0 until the file has been rewritten, so that free pages contain no plain text and nothing sealed with an older key.
   */
  scrubbed: integer().notNull().default(0),
});
