import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { organisations } from './organisations.ts';

/**
 * The numbers by which Unix machines know roles and groups (decision 173). A row stays when its role or group is deleted:
 * with its number, the next group would get its files.
 */
export const unixGroups = sqliteTable(
  'unix_groups',
  {
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    kind: text().$type<'role' | 'group'>().notNull(),
    /** A role's code or a group's id. */
    id: text().notNull(),
    /** From 0. */
    number: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orgCode, table.kind, table.id] }),
    uniqueIndex('unix_groups_number').on(table.orgCode, table.number),
  ],
);
