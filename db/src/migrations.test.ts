import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { getTableConfig, is, SQL, SQLiteColumn, SQLiteTable, StringChunk } from '#drizzle';
import { migrateStepwise } from './migrations.ts';
import { openDatabase } from './open.ts';
import * as schema from './schema/index.ts';
import { wholeSchema } from './whole-schema.ts';

const tables = Object.values(schema).filter((value) => is(value, SQLiteTable));
const { raw } = openDatabase({ file: ':memory:' });

const sorted = (names: string[]) => names.toSorted();

// If these tests fail, run `pnpm migrations` to generate the missing migration.
test.each(tables.map((table) => getTableConfig(table)))(
  'migrations create $name as declared in the schema',
  (table) => {
    const columns = raw
      .prepare<[string], { name: string; type: string; notnull: number }>('SELECT * FROM pragma_table_info(?)')
      .all(table.name);
    expect(
      columns.map(({ name, type, notnull }) => ({ name, type: type.toLowerCase(), notNull: notnull === 1 })),
    ).toEqual(
      table.columns.map((column) => ({ name: column.name, type: column.getSQLType(), notNull: column.notNull })),
    );

    const columnsOf = raw
      .prepare<[string, string], string>(
        `SELECT group_concat(i.name || ':' || coalesce(c.name, '') ORDER BY c.seqno)
       FROM pragma_index_list(?) AS i, pragma_index_info(i.name) AS c WHERE i.origin = ? GROUP BY i.name`,
      )
      .pluck();
    const declared = table.indexes.map(({ config }) =>
      config.columns.map((column) => `${config.name}:${indexed(column)}`).join(','),
    );
    expect(sorted(columnsOf.all(table.name, 'c'))).toEqual(sorted(declared));
  },
);

/** Returns the name of an indexed column, ignoring its collation, or '' for an expression. */
function indexed(part: SQLiteColumn | SQL): string {
  if (!is(part, SQL)) return part.name;
  const [column, collation] = part.queryChunks.filter(
    (chunk) => !is(chunk, StringChunk) || chunk.value.join('') !== '',
  );
  return is(column, SQLiteColumn) && is(collation, StringChunk) && /^ COLLATE \w+$/.test(collation.value.join(''))
    ? column.name
    : '';
}

test('migrations create no tables outside the schema', () => {
  const made = raw
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list
       WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_\\_%' ESCAPE '\\'`,
    )
    .pluck()
    .all();
  expect(sorted(made)).toEqual(sorted(tables.map((table) => getTableConfig(table).name)));
});

test('whole.sql matches the result of running all migrations on an empty database', () => {
  const whole = readFileSync(join(import.meta.dirname, '../migrations/whole.sql'), 'utf8');
  expect(whole, 'pnpm generate').toBe(wholeSchema());
});

/**
 * Returns the schema and all rows except the rows written when a database is opened. Search indexes are excluded
 * because FTS5 can store an empty index in two ways.
 */
function contentsOf(database: Sqlite.Database) {
  const rows = (query: string) => database.prepare<[], Record<string, unknown>>(query).all();
  const tables = rows(
    `SELECT name FROM pragma_table_list
     WHERE schema = 'main' AND type <> 'view' AND name NOT LIKE 'sqlite%'
       AND name <> 'sealed_columns' AND name NOT LIKE '%search_data' ORDER BY name`,
  );
  return {
    schema: rows('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name'),
    tables: tables.map(({ name }) => ({ name, rows: rows(`SELECT * FROM "${name}"`) })),
  };
}

test('a database created from whole.sql matches a database migrated step by step', () => {
  const stepwise = new Sqlite(':memory:');
  migrateStepwise(stepwise);
  expect(contentsOf(raw)).toEqual(contentsOf(stepwise));
  stepwise.close();
});
