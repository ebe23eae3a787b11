import type Sqlite from 'better-sqlite3';
import { getTableColumns } from 'drizzle-orm';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { TableRows } from '../database.ts';
import { sealRows } from '../sealed-columns.ts';
import type { Sealed, Vault } from '../vault.ts';

/** A row before its secrets are sealed. */
export type Unsealed<Row> = {
  [Name in keyof Row]: Row[Name] extends infer Value ? (Value extends Sealed ? string : Value) : never;
};

/**
 * Turns typed rows into what SQLite stores: a missing value becomes the column's default, else NULL. Secrets are still
 * in clear.
 */
export function tableRows<T extends SQLiteTable>(table: T, rows: readonly Unsealed<T['$inferInsert']>[]): TableRows {
  const columns = Object.entries(getTableColumns(table));
  return {
    table: getTableConfig(table).name,
    columns: columns.map(([, column]) => column.name),
    values: rows.map((row: Record<string, unknown>) =>
      columns.map(([key, column]) => {
        const value = row[key] ?? column.default ?? null;
        return value === null ? null : column.mapToDriverValue(value);
      }),
    ),
  };
}

/** Rows per statement: fewer calls, while the statement stays short enough to compile quickly. */
const BATCH = 50;

/** Inserts rows with sealed secrets. */
export function insertRows(raw: Sqlite.Database, tables: readonly TableRows[], vault: Vault): void {
  for (const rows of tables) insertValues(raw, sealRows(vault, rows));
}

/**
 * Inserts what SQLite stores, through one prepared statement per table; a query builder would write every statement
 * again.
 */
export function insertValues(raw: Sqlite.Database, { table, columns, values }: TableRows): void {
  const names = columns.map((column) => `"${column}"`).join(', ');
  const row = `(${columns.map(() => '?').join(', ')})`;
  const prepare = (rows: number) =>
    raw.prepare(`INSERT INTO "${table}" (${names}) VALUES ${Array(rows).fill(row).join(', ')}`);
  const whole = values.length - (values.length % BATCH);
  const insertBatch = whole > 0 ? prepare(BATCH) : undefined;
  for (let start = 0; start < whole; start += BATCH) insertBatch?.run(values.slice(start, start + BATCH).flat());
  const rest = values.slice(whole);
  const insertOne = rest.length > 0 ? prepare(1) : undefined;
  for (const one of rest) insertOne?.run(one);
}
