import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { openDatabase } from './open.ts';
import * as schema from './schema/index.ts';

const tables = Object.values(schema).filter((value) => is(value, SQLiteTable));
const { raw } = openDatabase({ file: ':memory:' });

const sorted = (names: string[]) => names.toSorted();

// `pnpm migrations` regenerates them.
test.each(tables.map((table) => getTableConfig(table)))('the migrations make $name as the schema has it', (table) => {
  const columns = raw
    .prepare<[string], { name: string; type: string; notnull: number }>('SELECT * FROM pragma_table_info(?)')
    .all(table.name);
  expect(
    columns.map(({ name, type, notnull }) => ({ name, type: type.toLowerCase(), notNull: notnull === 1 })),
  ).toEqual(table.columns.map((column) => ({ name: column.name, type: column.getSQLType(), notNull: column.notNull })));

  const columnsOf = raw
    .prepare<[string, string], string>(
      `SELECT group_concat(i.name || ':' || coalesce(c.name, '') ORDER BY c.seqno)
       FROM pragma_index_list(?) AS i, pragma_index_info(i.name) AS c WHERE i.origin = ? GROUP BY i.name`,
    )
    .pluck();
  const declared = table.indexes.map(({ config }) =>
    config.columns.map((column) => `${config.name}:${is(column, SQLiteColumn) ? column.name : ''}`).join(','),
  );
  expect(sorted(columnsOf.all(table.name, 'c'))).toEqual(sorted(declared));
});

test('the migrations make no table that the schema does not have', () => {
  const made = raw
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list
       WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_\\_%' ESCAPE '\\'`,
    )
    .pluck()
    .all();
  expect(sorted(made)).toEqual(sorted(tables.map((table) => getTableConfig(table).name)));
});
