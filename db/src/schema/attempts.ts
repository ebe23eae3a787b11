import { index, integer, primaryKey, sqliteTable, text } from '#drizzle';
import { time } from './columns.ts';
import { members } from './members.ts';
import { organisations } from './organisations.ts';

/** Kinds of attempts whose failures are counted (decision 143). */
export type ThrottleKind =
  | 'activation'
  | 'activation-pair'
  | 'activation-search'
  | 'one-time-code'
  | 'sign-up-notice'
  | 'invitation-link'
  | 'typed-code'
  | 'scim'
  | 'client-secret'
  | 'user-code'
  | 'device-poll';

/** Uncleared failures, one row per kind and per address, device or account that failed. */
export const throttles = sqliteTable(
  'failure_budgets',
  {
    /** Subject of the failures: a network (`networkOf`), an ID, or `*` for all subjects together. */
    subject: text().notNull(),
    kind: text().$type<ThrottleKind>().notNull(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** Time at which all failures are cleared. Each failure delays it by the time needed to regain one attempt. */
    clearAt: time().notNull(),
    /** Expiry of the trust that the subject's last success earned. */
    trustedUntil: time(),
  },
  (table) => [
    primaryKey({ columns: [table.subject, table.kind, table.orgCode] }),
    index('failure_budgets_clear').on(table.clearAt),
  ],
);

/** When administrators were last emailed about each kind of event. */
export const securityAlerts = sqliteTable(
  'security_alerts',
  {
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    action: text().notNull(),
    mailedAt: time().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.action] })],
);

/** Sign-ups with an email address that is already taken. They look like any other sign-up but never succeed. */
export const decoySignUps = sqliteTable(
  'decoy_sign_ups',
  {
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** Email address in lower case. */
    email: text().notNull(),
    /** Email address or phone number that would receive the one-time code of a real sign-up. */
    to: text().notNull(),
    /** SHA-256 of `id` and the code, base64url. */
    hash: text().notNull(),
    issuedAt: time().notNull(),
    expiresAt: time().notNull(),
    wrongTries: integer().notNull().default(0),
    usedAt: time(),
  },
  (table) => [
    index('decoy_sign_ups_email').on(table.email, table.orgCode, table.issuedAt),
    index('decoy_sign_ups_to').on(table.to, table.orgCode, table.issuedAt),
    index('decoy_sign_ups_expiry').on(table.expiresAt),
  ],
);

/** Push requests a member has denied since their last approval. */
export const pushDenials = sqliteTable(
  'push_denials',
  {
    suid: text()
      .primaryKey()
      .references(() => members.suid),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    denials: integer().notNull(),
    lastDeniedAt: time().notNull(),
    /** Network of the last denied push (`networkOf`). */
    network: text().notNull(),
    /** Browser of the last denied push, as in `sessions.browser`; null if unknown. */
    browser: text(),
  },
  (table) => [index('push_denials_time').on(table.lastDeniedAt)],
);
