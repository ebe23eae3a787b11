import type { AccountStatus, AppType } from '@orchestrate/shared';
import { sql } from 'drizzle-orm';
import {
  type AnySQLiteColumn,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { flag, json, sealed, time } from './columns.ts';
import { organisations, roles } from './organisations.ts';

type WithStatus = { accountStatus: AnySQLiteColumn };

/** Literal, both of them: an index of some rows serves only the queries that say the same in the same words. */
export const isPresent = ({ accountStatus }: WithStatus) => sql`${accountStatus} <> 'deleted'`;
export const isDeleted = ({ accountStatus }: WithStatus) => sql`${accountStatus} = 'deleted'`;

export const members = sqliteTable(
  'members',
  {
    /** Where it stands among the members of its organisation, for keyset paging: see `organisations.number`. */
    id: integer().primaryKey(),
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
    /** What enabling a disabled member brings back. */
    statusBeforePause: text().$type<AccountStatus>(),
    isManager: flag().notNull().default(false),
    managerSuid: text(),
    hasPermissionForMobileApp: flag().notNull().default(true),
    hasPermissionForWindowsApp: flag().notNull().default(true),
    lastSeenAt: time(),
    createdAt: time().notNull(),
    /** The directory's own id for the person (RFC 7643 §3.1). */
    externalId: text(),
    /** What the directory calls the person, where that is not the e-mail address (decision 120). */
    userName: text(),
    /** When the directory last wrote this row; null where it never did. */
    provisionedAt: time(),
    /** When it was proven that the person reads mail at `primaryEmail`; null where nobody knows. */
    emailVerifiedAt: time(),
  },
  (table) => [
    uniqueIndex('members_suid').on(table.suid),
    // Whoever has been deleted keeps name and address, and stands in nobody's way (decision 061).
    uniqueIndex('members_primary_attr').on(table.orgCode, table.primaryAttr).where(isPresent(table)),
    uniqueIndex('members_primary_email').on(table.orgCode, table.primaryEmail).where(isPresent(table)),
    index('members_deleted').on(table.orgCode, table.primaryAttr).where(isDeleted(table)),
    index('members_email_everywhere').on(table.primaryEmail).where(isPresent(table)),
    index('members_manager').on(table.managerSuid, table.orgCode),
    index('members_mobile').on(table.mobileNumber, table.orgCode).where(sql`${table.mobileNumber} IS NOT NULL`),
    index('members_external_id').on(table.externalId, table.orgCode).where(sql`${table.externalId} IS NOT NULL`),
    uniqueIndex('members_user_name')
      .on(table.orgCode, sql`lower(${table.userName})`)
      .where(sql`${table.userName} IS NOT NULL AND ${isPresent(table)}`),
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
    /** Those who may see it read it aloud (decision 003). */
    code: sealed().notNull(),
    expiresAt: time().notNull(),
    /** Of the network that has tried most often: so many lock the code there. */
    wrongTries: integer().notNull().default(0),
    usedAt: time(),
    issuedAt: time().notNull(),
    /** Of all networks together: so many lock the code everywhere (decision 143). */
    wrongTriesInAll: integer().notNull().default(0),
    /** By network (`networkOf`). */
    wrongTriesByNetwork: json<Record<string, number>>().notNull().default({}),
  },
  (table) => [
    primaryKey({ columns: [table.suid, table.type] }),
    index('activation_codes_expiry').on(table.orgCode, table.expiresAt),
  ],
);
