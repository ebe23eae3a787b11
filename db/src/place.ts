import { sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Tx } from './database.ts';

/** A row's place in the order of insertion (https://sqlite.org/rowidtable.html). */
export const PLACE = sql<number>`rowid`;

/** The place of the newest row, 0 where there is none. */
export const lastPlaceOf = (tx: Tx, table: SQLiteTable): number =>
  tx.select({ last: sql<number>`coalesce(max(rowid), 0)` }).from(table).get()?.last ?? 0;
