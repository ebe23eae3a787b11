import type { AccountStatus, AppType, Language } from '@orchestrate/shared';
import {
  type AnySQLiteColumn,
  foreignKey,
  index,
  integer,
  primaryKey,
  sql,
  sqliteTable,
  text,
  uniqueIndex,
} from '#drizzle';
import { transliterateSql } from '../sql.ts';
import { flag, json, sealed, time } from './columns.ts';
import { organisations, roles } from './organisations.ts';

type WithStatus = { accountStatus: AnySQLiteColumn };

/**
 * True if the member isn't deleted. Written as a literal because SQLite uses a partial index only for queries that
 * repeat its condition verbatim.
 */
export const isPresent = ({ accountStatus }: WithStatus) => sql`${accountStatus} <> 'deleted'`;
export const isDeleted = ({ accountStatus }: WithStatus) => sql`${accountStatus} = 'deleted'`;
/**
 * True if a directory has stored additional email addresses for the member. A literal for the same reason as
 * `isPresent`.
 */
export const hasStoredAddresses = ({ scimAttributes }: { scimAttributes: AnySQLiteColumn }) =>
  sql`${scimAttributes} ->> '$.emails' IS NOT NULL`;

export const members = sqliteTable(
  'members',
  {
    /** Position within the organisation, for keyset pagination (see `organisations.number`). */
    id: integer().primaryKey(),
    suid: text().notNull(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    primaryAttr: text().notNull(),
    firstName: text().notNull(),
    lastName: text().notNull(),
    /** Email address in lower case. */
    primaryEmail: text().notNull(),
    /** E.164. */
    mobileNumber: text(),
    roleCode: text().notNull().default('USER'),
    accountStatus: text().$type<AccountStatus>().notNull(),
    /** Status to restore when a disabled member is enabled. */
    statusBeforePause: text().$type<AccountStatus>(),
    isManager: flag().notNull().default(false),
    managerSuid: text(),
    hasPermissionForMobileApp: flag().notNull().default(true),
    hasPermissionForWindowsApp: flag().notNull().default(true),
    lastSeenAt: time(),
    createdAt: time().notNull(),
    /** The directory's ID for the member (RFC 7643 §3.1). */
    externalId: text(),
    /** The directory's username for the member, if it differs from the email address (decision 120). */
    userName: text(),
    /** Time at which the directory last wrote this row, or null. */
    provisionedAt: time(),
    /** Time at which the member last proved access to `primaryEmail`, or null. */
    emailVerifiedAt: time(),
    /**
     * Directory attributes without a column here, as JSON (decision 120). Enterprise extension attributes are in
     * `enterprise`, and attributes of registered extensions are in `extensions`, by URN.
     */
    scimAttributes: text(),
    /** Case-folded `userName` (`foldCase`), used as the unique search key. */
    userNameKey: text(),
    /** The member's portal language; null to follow the browser. */
    language: text().$type<Language>(),
  },
  (table) => [
    uniqueIndex('members_suid').on(table.suid),
    // Deleted members keep their name and address, but other members can reuse both (decision 062).
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
      sql`${transliterateSql(sql`${table.firstName}`)} COLLATE NOCASE`,
      sql`${transliterateSql(sql`${table.lastName}`)} COLLATE NOCASE`,
    ),
    index('members_last_name').on(
      table.orgCode,
      sql`${transliterateSql(sql`${table.lastName}`)} COLLATE NOCASE`,
      sql`${transliterateSql(sql`${table.firstName}`)} COLLATE NOCASE`,
    ),
    index('members_role').on(table.orgCode, table.roleCode),
    foreignKey({ columns: [table.orgCode, table.roleCode], foreignColumns: [roles.orgCode, roles.roleCode] }),
  ],
);

/** One row per member and app. Issuing a code replaces the previous code, which becomes invalid. */
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
    /** Readable because staff read the code out to members (decision 024). */
    code: sealed().notNull(),
    expiresAt: time().notNull(),
    /** Failed attempts from the network with the most failures. Too many lock the code for that network. */
    wrongTries: integer().notNull().default(0),
    usedAt: time(),
    issuedAt: time().notNull(),
    /** Failed attempts across all networks. Too many lock the code for everyone (decision 143). */
    wrongTriesInAll: integer().notNull().default(0),
    /** Failed attempts by network (`networkOf`). */
    wrongTriesByNetwork: json<Record<string, number>>().notNull().default({}),
    /**
     * True if the code was issued or displayed in the member's own session, so anyone with access to that session
     * knows it (decision 206).
     */
    isOwn: flag().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.suid, table.type] }),
    index('activation_codes_expiry').on(table.orgCode, table.expiresAt),
  ],
);

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
