import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Which columns are sealed, and with which key (decision 152). What is not listed here is plain, and sealed at the next start. */
export const sealedColumns = sqliteTable('sealed_columns', {
  /** `table.column`. */
  name: text().primaryKey(),
  keyId: text().notNull(),
  /** The name, sealed: a key that opens it is the right one. */
  probe: text().notNull(),
  /** 0 until the file has been rewritten, so that nothing of the plain text or of an older key is left in free pages. */
  scrubbed: integer().notNull().default(0),
});
