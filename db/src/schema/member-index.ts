import type { AccountStatus } from '@orchestrate/shared';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Member counts, maintained by the triggers in `0001_member_index.sql`. Counting a million members on demand would
 * take 50 ms.
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

/** Any row here disables the triggers while a transaction updates the counts and the search index itself. */
export const disabledMemberTriggers = sqliteTable('member_trigger_rests', { id: integer().primaryKey() });
