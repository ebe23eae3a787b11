import type { AppType, Language } from '@orchestrate/shared';
import { index, integer, primaryKey, sql, sqliteTable, text } from '#drizzle';
import { json, sealed, time } from './columns.ts';
import { organisations } from './organisations.ts';

/** Data for each kind of message, excluding the organisation's own copy. Times are in milliseconds since the epoch. */
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
  tried: TestEmailFacts;
}

/** An alert to administrators about signs of an attack, in the email's language. */
export interface SecurityAlertText {
  /** What happened, as a subject line. */
  subject: string;
  /** What happened, in one or two sentences. */
  what: string;
  /** Actor, IP address and other details, e.g. `['Address', '203.0.113.7']`. */
  details: readonly (readonly [label: string, value: string])[];
  /** Recommended action. */
  advice: string;
}

export interface SecurityAlertFacts extends SecurityAlertText {
  firstName: string;
  at: number;
}

/** Data for a test email. Unlike other messages, it includes the subject and body. */
export interface TestEmailFacts {
  firstName: string;
  /** Template of the email being tested. */
  of: Exclude<MessageTemplate, 'tried'>;
  subject: string;
  body: string;
  at: number;
}

export type MessageTemplate = keyof MessageFacts;

type HasSecret<Facts> = Facts extends { code: string } | { link: string } ? true : false;
/** Messages with a code or a link that grants access. */
export type SecretTemplate = {
  [Template in MessageTemplate]: HasSecret<MessageFacts[Template]> extends true ? Template : never;
}[MessageTemplate];

/**
 * The field with each message's secret, and what the secret opens. Secrets are stored sealed and are deleted once
 * they are used or expire.
 */
export const MESSAGE_SECRETS: Readonly<
  Record<SecretTemplate, { fact: 'code' | 'link'; opens: 'activation' | 'invitation' | 'one-time' }>
> = {
  'activation-code': { fact: 'code', opens: 'activation' },
  invitation: { fact: 'link', opens: 'invitation' },
  'one-time-code': { fact: 'code', opens: 'one-time' },
  'email-code': { fact: 'code', opens: 'one-time' },
};

/** An organisation's custom subject and body for an email in one language. The defaults apply if there is no row. */
export const mailTexts = sqliteTable(
  'mail_texts',
  {
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    template: text().$type<MessageTemplate>().notNull(),
    subject: text().notNull(),
    body: text().notNull(),
    language: text().$type<Language>().notNull().default('en'),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.template, table.language] })],
);

/**
 * Emails and text messages, written in the same transaction as the event they report. Rows store only data, and the
 * message is rendered when it is read or sent. Half a million invitations take 200 MB this way instead of 3 GB.
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
    /** Message data without the secret. */
    facts: json<Record<string, unknown>>().notNull(),
    /** The secret (see `MESSAGE_SECRETS`); null if the message has none, or if the secret was used or has expired. */
    code: sealed(),
    createdAt: time().notNull(),
    deliveredAt: time(),
    /** Delivery attempts so far. */
    attempts: integer().notNull().default(0),
    /** Time of the next delivery attempt; null if none is due. */
    nextAttemptAt: time(),
    /** The mail server's response to the last failed attempt. */
    lastError: text(),
    /** The member the secret is for. */
    secretFor: text(),
    /** Expiry of the stored secret. */
    secretUntil: time(),
    /** The recipient's language when the message was queued. */
    language: text().$type<Language>().notNull().default('en'),
  },
  (table) => [
    index('outbox_to').on(table.to, table.createdAt),
    index('outbox_time').on(table.createdAt),
    index('outbox_secret_for').on(table.secretFor).where(sql`${table.secretFor} IS NOT NULL`),
    index('outbox_secret_until').on(table.secretUntil).where(sql`${table.secretUntil} IS NOT NULL`),
    index('outbox_due').on(table.nextAttemptAt).where(sql`${table.nextAttemptAt} IS NOT NULL`),
  ],
);
