import type { AppType } from '@orchestrate/shared';
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { sealed, time } from './columns.ts';
import { members } from './members.ts';
import { organisations } from './organisations.ts';

/** Links of emailed invitations. */
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
    /** The address that it was emailed to. */
    email: text().notNull(),
    validFrom: time().notNull(),
    /** End of the link: after a week, or when the member registers a device. */
    expiresAt: time().notNull(),
    /** Time at which it last emailed a code. */
    usedAt: time(),
    invitedAt: time().notNull().default(0),
    /** The member who invited them; null if the inviter is not a member. */
    invitedBy: text(),
    /** Time at which it was no longer open: the member registered a device, or got a newer link. */
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

/** Changes of a member's own email that wait for the code sent there; at most one per member. */
export const emailChanges = sqliteTable(
  'email_changes',
  {
    suid: text()
      .primaryKey()
      .references(() => members.suid),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** The new email in lower case; equal to the present one if that is being verified. */
    email: text().notNull(),
    requestedAt: time().notNull(),
    expiresAt: time().notNull(),
  },
  (table) => [index('email_changes_expiry').on(table.expiresAt)],
);

/**
 * One-time codes for sign-ups and email changes. Only the latest one of a member is valid; earlier ones are stored for
 * counting.
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
    /** SHA-256 of `id` and the code, base64url; also sealed, because so few digits could be guessed from the hash. */
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
