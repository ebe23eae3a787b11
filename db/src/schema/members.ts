import type { AccountStatus, AppType } from '@orchestrate/shared';
import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, time } from './columns.ts';
import { organisations, roles } from './organisations.ts';

export const members = sqliteTable(
  'members',
  {
    /** Row number, for keyset paging. */
    id: integer().primaryKey({ autoIncrement: true }),
    suid: text().notNull(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    primaryAttr: text().notNull(),
    firstName: text().notNull(),
    lastName: text().notNull(),
    /** Lower case. */
    primaryEmail: text().notNull(),
    /** E.164. */
    mobileNumber: text(),
    roleCode: text().notNull().default('USER'),
    accountStatus: text().$type<AccountStatus>().notNull(),
    isManager: flag().notNull().default(false),
    managerSuid: text(),
    hasPermissionForMobileApp: flag().notNull().default(true),
    hasPermissionForWindowsApp: flag().notNull().default(true),
    lastSeenAt: time(),
    createdAt: time().notNull(),
  },
  (table) => [
    uniqueIndex('members_suid').on(table.suid),
    uniqueIndex('members_primary_attr').on(table.orgCode, table.primaryAttr),
    uniqueIndex('members_primary_email').on(table.orgCode, table.primaryEmail),
    index('members_email_everywhere').on(table.primaryEmail),
    index('members_manager').on(table.managerSuid, table.orgCode),
    index('members_mobile').on(table.mobileNumber, table.orgCode).where(sql`${table.mobileNumber} IS NOT NULL`),
    index('members_role').on(table.orgCode, table.roleCode),
    foreignKey({ columns: [table.orgCode, table.roleCode], foreignColumns: [roles.orgCode, roles.roleCode] }),
  ],
);

/** One row per member and app; issuing a code replaces it, so the last one is void. */
export const activationCodes = sqliteTable(
  'activation_codes',
  {
    suid: text()
      .notNull()
      .references(() => members.suid),
    type: text().$type<AppType>().notNull(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** In clear: those who may see it read it aloud (decision 003). */
    code: text().notNull(),
    expiresAt: time().notNull(),
    wrongTries: integer().notNull().default(0),
    usedAt: time(),
    issuedAt: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.suid, table.type] }),
    index('activation_codes_code').on(table.code, table.orgCode),
  ],
);
