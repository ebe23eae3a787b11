import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { organisations } from './organisations.ts';

/**
 * Numeric IDs of roles and groups on Unix systems (decision 173). Rows are never deleted, because the next group
 * would inherit a deleted group's number and its files.
 */
export const unixGroups = sqliteTable(
  'unix_groups',
  {
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    kind: text().$type<'role' | 'group'>().notNull(),
    /** Role code or group ID. */
    id: text().notNull(),
    /** Unix number of the role or group, starting at 0. */
    number: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orgCode, table.kind, table.id] }),
    uniqueIndex('unix_groups_number').on(table.orgCode, table.number),
  ],
);
