import type { AccountStatus } from '@orchestrate/shared';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Member counts, maintained by the triggers of `0001_member_index.sql`: counting a million members would take 50 ms.
 */
export const memberCounts = sqliteTable(
  'member_counts',
  {
    orgCode: text().notNull(),
    roleCode: text().notNull(),
    accountStatus: text().$type<AccountStatus>().notNull(),
    members: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.roleCode, table.accountStatus] })],
);

/** While it has a row, the triggers are off, and the current transaction updates counts and search index itself. */
export const memberTriggerRests = sqliteTable('member_trigger_rests', { id: integer().primaryKey() });
