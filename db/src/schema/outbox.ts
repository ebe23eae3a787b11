import type { AppType } from '@orchestrate/shared';
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { json, time } from './columns.ts';
import { organisations } from './organisations.ts';

/** What each kind of message says, beside the organisation's own words. Times in milliseconds since the epoch. */
export interface MessageFacts {
  'activation-code': { firstName: string; type: AppType; code: string; expiresAt: number };
  invitation: { firstName: string; type: AppType; link: string; validFrom: number; expiresAt: number };
  'new-device': { firstName: string; deviceName: string; at: number };
  'device-lost': { firstName: string; deviceName: string; at: number };
  'one-time-code': { firstName: string; code: string; expiresAt: number };
  'email-code': { firstName: string; code: string; expiresAt: number };
  'email-change': { firstName: string; newEmail: string; at: number; expiresAt: number };
  'email-changed': { firstName: string; newEmail: string; at: number };
  'security-alert': SecurityAlertFacts;
  'sign-up-known': { firstName: string; ip: string; at: number };
}

/** What administrators are told when something points at an attack. */
export interface SecurityAlertFacts {
  firstName: string;
  /** What happened, as a subject line. */
  subject: string;
  /** The same in one or two sentences. */
  what: string;
  /** Who, from where and the like, e.g. `['Address', '203.0.113.7']`. */
  details: readonly (readonly [label: string, value: string])[];
  /** What to do now. */
  advice: string;
  at: number;
}

export type MessageTemplate = keyof MessageFacts;

/**
 * Mails and text messages, written in the transaction of their cause. A row holds facts, the words come when it is read
 * or sent: half a million invitations are then 200 MB, not 3 GB.
 */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    channel: text().$type<'mail' | 'text'>().notNull(),
    to: text().notNull(),
    template: text().$type<MessageTemplate>().notNull(),
    facts: json<MessageFacts[MessageTemplate]>().notNull(),
    code: text(),
    createdAt: time().notNull(),
    deliveredAt: time(),
    /** How often it has been handed to the mail server. */
    attempts: integer().notNull().default(0),
    /** When it is to be handed to the mail server; null for what is not, or no longer, to be sent. */
    nextAttemptAt: time(),
    /** What the mail server said to the last attempt, where that failed. */
    lastError: text(),
  },
  (table) => [
    index('outbox_to').on(table.to, table.createdAt),
    index('outbox_time').on(table.createdAt),
    index('outbox_due').on(table.nextAttemptAt).where(sql`${table.nextAttemptAt} IS NOT NULL`),
  ],
);
