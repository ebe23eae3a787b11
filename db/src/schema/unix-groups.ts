import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { organisations } from './organisations.ts';

/**
 * The numbers by which Unix systems identify roles and groups (decision 173). A row stays when its role or group is
 * deleted: otherwise the next group would get its number and files.
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
    /** Counted from 0. */
    number: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orgCode, table.kind, table.id] }),
    uniqueIndex('unix_groups_number').on(table.orgCode, table.number),
  ],
);
