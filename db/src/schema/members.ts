import type { AccountStatus, AppType, Language } from '@orchestrate/shared';
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
import { transliterated } from '../sql.ts';
import { flag, json, sealed, time } from './columns.ts';
import { organisations, roles } from './organisations.ts';

type WithStatus = { accountStatus: AnySQLiteColumn };

/** Literals, because SQLite uses a partial index only for queries that repeat its condition word for word. */
export const isPresent = ({ accountStatus }: WithStatus) => sql`${accountStatus} <> 'deleted'`;
export const isDeleted = ({ accountStatus }: WithStatus) => sql`${accountStatus} = 'deleted'`;
/** True if a directory has set additional addresses of the member. Also a literal. */
export const hasStoredAddresses = ({ scimAttributes }: { scimAttributes: AnySQLiteColumn }) =>
  sql`${scimAttributes} ->> '$.emails' IS NOT NULL`;

export const members = sqliteTable(
  'members',
  {
    /** Position among the members of its organisation, for keyset paging: see `organisations.number`. */
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
    /** The status that enabling a disabled member restores. */
    statusBeforePause: text().$type<AccountStatus>(),
    isManager: flag().notNull().default(false),
    managerSuid: text(),
    hasPermissionForMobileApp: flag().notNull().default(true),
    hasPermissionForWindowsApp: flag().notNull().default(true),
    lastSeenAt: time(),
    createdAt: time().notNull(),
    /** The directory's own id for the member (RFC 7643 §3.1). */
    externalId: text(),
    /** The directory's name for the member, if it differs from the email (decision 120). */
    userName: text(),
    /** Time at which the directory last wrote this row, or null. */
    provisionedAt: time(),
    /** Time at which the member's access to `primaryEmail` was last verified, or null. */
    emailVerifiedAt: time(),
    /**
     * Attributes from the directory without a column here (decision 120), as JSON; those of the enterprise extension
     * are in `enterprise`, those of registered ones in `extensions` by their URN.
     */
    scimAttributes: text(),
    /** `userName` with its case folded (`foldCase`): the unique search key. */
    userNameKey: text(),
    /** Language of the member's portal; null for the browser's language. */
    language: text().$type<Language>(),
  },
  (table) => [
    uniqueIndex('members_suid').on(table.suid),
    // Deleted members keep their name and address, which others can take again (decision 062).
    uniqueIndex('members_primary_attr').on(table.orgCode, table.primaryAttr).where(isPresent(table)),
    uniqueIndex('members_primary_email').on(table.orgCode, table.primaryEmail).where(isPresent(table)),
    index('members_deleted').on(table.orgCode, table.primaryAttr).where(isDeleted(table)),
    index('members_email_everywhere').on(table.primaryEmail).where(isPresent(table)),
    index('members_manager').on(table.managerSuid, table.orgCode),
    index('members_mobile').on(table.mobileNumber, table.orgCode).where(sql`${table.mobileNumber} IS NOT NULL`),
    index('members_external_id').on(table.externalId, table.orgCode).where(sql`${table.externalId} IS NOT NULL`),
    uniqueIndex('members_user_name')
      .on(table.orgCode, table.userNameKey)
      .where(sql`${table.userNameKey} IS NOT NULL AND ${isPresent(table)}`),
    index('members_kept_addresses')
      .on(table.orgCode)
      .where(sql`${hasStoredAddresses(table)} AND ${isPresent(table)}`),
    // For member searches by full name.
    index('members_first_name').on(
      table.orgCode,
      sql`${transliterated(sql`${table.firstName}`)} COLLATE NOCASE`,
      sql`${transliterated(sql`${table.lastName}`)} COLLATE NOCASE`,
    ),
    index('members_last_name').on(
      table.orgCode,
      sql`${transliterated(sql`${table.lastName}`)} COLLATE NOCASE`,
      sql`${transliterated(sql`${table.firstName}`)} COLLATE NOCASE`,
    ),
    index('members_role').on(table.orgCode, table.roleCode),
    foreignKey({ columns: [table.orgCode, table.roleCode], foreignColumns: [roles.orgCode, roles.roleCode] }),
  ],
);

/** One row per member and app; issuing a code replaces and thereby voids the previous one. */
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
    /** Readable, because staff read it to members (decision 024). */
    code: sealed().notNull(),
    expiresAt: time().notNull(),
    /** Wrong attempts from the network with the most of them; too many lock the code for that network. */
    wrongTries: integer().notNull().default(0),
    usedAt: time(),
    issuedAt: time().notNull(),
    /** Wrong attempts from all networks together; too many lock the code everywhere (decision 143). */
    wrongTriesInAll: integer().notNull().default(0),
    /** By network (`networkOf`). */
    wrongTriesByNetwork: json<Record<string, number>>().notNull().default({}),
    /** True if issued or displayed in a session of the member: anyone with that session knows it (decision 206). */
    isOwn: flag().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.suid, table.type] }),
    index('activation_codes_expiry').on(table.orgCode, table.expiresAt),
  ],
);
