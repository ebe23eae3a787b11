import type { AppType } from '@orchestrate/shared';
import { index, integer, sql, sqliteTable, text } from '#drizzle';
import { sealed, time } from './columns.ts';
import { members } from './members.ts';
import { organisations } from './organisations.ts';

/** Links in emailed invitations. */
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
    /** The address the link was emailed to. */
    email: text().notNull(),
    validFrom: time().notNull(),
    /** Expiry of the link: a week after the invitation, or when the member registers a device. */
    expiresAt: time().notNull(),
    /** Time at which opening the link last emailed a code. */
    usedAt: time(),
    invitedAt: time().notNull().default(0),
    /** ID of the member who sent the invitation; null if the inviter isn't a member. */
    invitedBy: text(),
    /** Time at which the link was closed because the member registered a device or got a newer link. */
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

/** Changes to a member's own email address that await the code sent to the new address. At most one per member. */
export const emailChanges = sqliteTable(
  'email_changes',
  {
    suid: text()
      .primaryKey()
      .references(() => members.suid),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** New email address in lower case. Equal to the current address if the member is verifying that one. */
    email: text().notNull(),
    requestedAt: time().notNull(),
    expiresAt: time().notNull(),
  },
  (table) => [index('email_changes_expiry').on(table.expiresAt)],
);

/**
 * One-time codes for sign-ups and email changes. Only a member's latest code is valid. Earlier codes are stored
 * because they count towards the sending limit.
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
    /**
     * SHA-256 of `id` and the code, base64url. Also sealed, because a code this short could be guessed from the hash.
     */
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
