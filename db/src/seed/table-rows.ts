import type Sqlite from 'better-sqlite3';
import { getTableColumns, getTableName, type SQLiteTable } from '#drizzle';
import type { TableRows } from '../database.ts';
import { sealRows } from '../sealed-columns.ts';
import type { Sealed, Vault } from '../vault.ts';

/** A row before its secrets are sealed. */
export type Unsealed<Row> = {
  [Name in keyof Row]: Row[Name] extends infer Value ? (Value extends Sealed ? string : Value) : never;
};

/**
 * Converts typed rows to SQLite values. A missing value becomes the column's default, or NULL if there is no default.
 * Secrets stay in plain text.
 */
export function tableRows<T extends SQLiteTable>(table: T, rows: readonly Unsealed<T['$inferInsert']>[]): TableRows {
  const columns = Object.entries(getTableColumns(table)).map(([key, column]) => {
    const isStoredAsIs = column.dataType === 'string' || column.dataType === 'number';
    return { key, column, isStoredAsIs, fallback: column.default ?? null };
  });
  return {
    table: getTableName(table),
    columns: columns.map(({ column }) => column.name),
    values: rows.map((row: Record<string, unknown>) =>
      columns.map(({ key, column, isStoredAsIs, fallback }) => {
        const value = row[key] ?? fallback;
        return value === null || isStoredAsIs ? value : column.mapToDriverValue(value);
      }),
    ),
  };
}

/** Row count from which recreating a table's indexes is faster than updating them row by row. */
const MANY = 1_000;

/** Inserts rows and seals their secrets. Must run inside a transaction. */
export function insertRows(raw: Sqlite.Database, tables: readonly TableRows[], vault: Vault): void {
  for (const rows of tables) {
    const sealed = sealRows(vault, rows);
    if (rows.values.length < MANY) insertValues(raw, sealed);
    else withoutIndexes(raw, rows.table, () => insertValues(raw, sealed));
  }
}

/**
 * Inserts SQLite values with one prepared statement per table, because a query builder would rebuild the statement
 * for each row.
 */
function insertValues(raw: Sqlite.Database, { table, columns, values }: TableRows): void {
  if (values.length === 0) return;
  const names = columns.map((column) => `"${column}"`).join(', ');
  const insert = raw.prepare(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`);
  for (const row of values) insert.run(row);
}

/** Drops a table's indexes while `work` runs, except unique indexes, which reject invalid rows. */
function withoutIndexes(raw: Sqlite.Database, table: string, work: () => void): void {
  const indexes = raw
    .prepare<[string], { name: string; sql: string }>(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql LIKE 'CREATE INDEX %'`,
    )
    .all(table);
  for (const { name } of indexes) raw.exec(`DROP INDEX "${name}"`);
  work();
  for (const { sql } of indexes) raw.exec(sql);
}
