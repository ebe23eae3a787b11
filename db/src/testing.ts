import type { OpenDatabase } from './database.ts';
import { openRows, type Row } from './sealed-columns.ts';
import { vaultOf } from './vault.ts';

export { seededInMemory as memoryDb } from './seed/seeded-in-memory.ts';

/**
 * Every row of every table in the order in which it was written, with its secrets opened, to compare two databases that
 * have different keys.
 */
export function dumpOf({ db, raw }: OpenDatabase): Record<string, unknown[]> {
  const tables = raw
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT IN ('sqlite_schema', 'sealed_columns') ORDER BY name`,
    )
    .pluck()
    .all();
  return Object.fromEntries(
    tables.map((table) => {
      const rows = raw.prepare<[], Row>(`SELECT rowid, * FROM main."${table}" ORDER BY rowid`).all();
      return [table, openRows(vaultOf(db), table, rows)];
    }),
  );
}

export { VERSION_0_1_0, writeVersion010 } from './fixtures/delivered-version.ts';
export { wholeSchema } from './whole-schema.ts';
