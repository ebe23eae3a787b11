import type { AppType } from '@orchestrate/shared';
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { sealed, time } from './columns.ts';
import { members } from './members.ts';
import { organisations } from './organisations.ts';

/** Links of mailed invitations. */
export const invitations = sqliteTable(
  'invitations',
  {
    /** SHA-256 of the link's token, base64url. */
    hash: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    suid: text()
      .notNull()
      .references(() => members.suid),
    type: text().$type<AppType>().notNull(),
    /** The address that it was mailed to. */
    email: text().notNull(),
    validFrom: time().notNull(),
    /** When the link ends: after a week, or when the person registers a device. */
    expiresAt: time().notNull(),
    /** When it last mailed a code. */
    usedAt: time(),
    invitedAt: time().notNull().default(0),
    /** The member who invited them; null where it was nobody who is a member. */
    invitedBy: text(),
    /** When it stopped being open: the person registered a device, or was mailed a newer link. */
    closedAt: time(),
  },
  (table) => [
    index('invitations_member').on(table.suid, table.type, table.orgCode),
    index('invitations_expiry').on(table.expiresAt),
    index('invitations_open')
      .on(table.orgCode, table.expiresAt, table.suid, table.type)
      .where(sql`${table.closedAt} IS NULL`),
  ],
);

/** Changes of a member's own address that are waiting for the code sent there; at most one per member. */
export const emailChanges = sqliteTable(
  'email_changes',
  {
    suid: text()
      .primaryKey()
      .references(() => members.suid),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** The new address, lower case; the present one where that is being verified. */
    email: text().notNull(),
    requestedAt: time().notNull(),
    expiresAt: time().notNull(),
  },
  (table) => [index('email_changes_expiry').on(table.expiresAt)],
);

/**
 * One-time codes of sign-ups and addresses. Only the last one of a member is valid; earlier ones are kept for counting.
 */
export const oneTimeCodes = sqliteTable(
  'one_time_codes',
  {
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    suid: text()
      .notNull()
      .references(() => members.suid),
    /** Email address or mobile number. */
    to: text().notNull(),
    /** SHA-256 of `id` and the code, base64url; sealed too, because so few digits could be guessed from the hash. */
    hash: sealed().notNull(),
    issuedAt: time().notNull(),
    expiresAt: time().notNull(),
    wrongTries: integer().notNull().default(0),
    usedAt: time(),
  },
  (table) => [
    index('one_time_codes_member').on(table.suid, table.orgCode, table.issuedAt),
    index('one_time_codes_to').on(table.to, table.orgCode, table.issuedAt),
    index('one_time_codes_expiry').on(table.expiresAt),
  ],
);
