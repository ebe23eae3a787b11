import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { organisations } from './organisations.ts';

/**
 * The numbers by which Unix machines know roles and groups (decision 187). A row outlives its role or group: files on
 * such a machine would otherwise go to the next one.
 */
export const unixGroups = sqliteTable(
  'unix_groups',
  {
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    kind: text().$type<'role' | 'group'>().notNull(),
    /** The code of a role, the id of a group. */
    id: text().notNull(),
    /** From 0. */
    number: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orgCode, table.kind, table.id] }),
    uniqueIndex('unix_groups_number').on(table.orgCode, table.number),
  ],
);
