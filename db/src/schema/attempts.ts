import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { time } from './columns.ts';
import { members } from './members.ts';
import { organisations } from './organisations.ts';

/** Kinds of attempts whose failures are counted (decision 143). */
export type BudgetKind =
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

/** Failures that are still remembered, one row for each kind and each address, device or account that failed. */
export const failureBudgets = sqliteTable(
  'failure_budgets',
  {
    /** Who failed: a network (`networkOf`), an id, or `*` for everybody together. */
    subject: text().notNull(),
    kind: text().$type<BudgetKind>().notNull(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** When all of it is forgotten; each failure moves this by the time it takes to regain one attempt. */
    clearAt: time().notNull(),
    /** Until when the subject counts as trusted because it succeeded. */
    trustedUntil: time(),
  },
  (table) => [
    primaryKey({ columns: [table.subject, table.kind, table.orgCode] }),
    index('failure_budgets_clear').on(table.clearAt),
  ],
);

/** When the administrators were last mailed about one kind of event. */
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

/** Sign-ups with an address that is already taken: answered like any other, but they never succeed. */
export const decoySignUps = sqliteTable(
  'decoy_sign_ups',
  {
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** Lower case. */
    email: text().notNull(),
    /** Where a real sign-up's one-time code would go. */
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

/** Pushes that a person has denied since approving the last one. */
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
    /** Where the last denied one came from (`networkOf`). */
    network: text().notNull(),
    /** The browser of the last denied one, as `sessions.browser` names it; null if it was unknown. */
    browser: text(),
  },
  (table) => [index('push_denials_time').on(table.lastDeniedAt)],
);
