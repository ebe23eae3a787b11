import { integer, sqliteTable, text } from '#drizzle';

/**
 * The sealed columns and the key used for each (decision 080). A column not listed here is still in plain text and
 * gets sealed at the next start.
 */
export const sealedColumns = sqliteTable('sealed_columns', {
  /** `table.column`. */
  name: text().primaryKey(),
  keyId: text().notNull(),
  /** The column's name, sealed. A key that can unseal it is the right key. */
  probe: text().notNull(),
  /**
   * 0 until the file has been rewritten. Until then, free pages can contain plain text or data sealed with an older
   * key.
   */
  scrubbed: integer().notNull().default(0),
});
