import type { AppType, Language } from '@orchestrate/shared';
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { json, sealed, time } from './columns.ts';
import { organisations } from './organisations.ts';

/**
 * Facts of each kind of message, in addition to the organisation's own texts. Times in milliseconds since the epoch.
 */
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

/** An alert that tells administrators about signs of an attack, in the language of the email. */
export interface SecurityAlertText {
  /** The event, as a subject line. */
  subject: string;
  /** The event in one or two sentences. */
  what: string;
  /** Actor, address and other details, e.g. `['Address', '203.0.113.7']`. */
  details: readonly (readonly [label: string, value: string])[];
  /** Recommended action. */
  advice: string;
}

export interface SecurityAlertFacts extends SecurityAlertText {
  firstName: string;
  at: number;
}

/** Texts of a test email, which the message itself contains. */
export interface TestEmailFacts {
  firstName: string;
  /** The email whose texts are tested. */
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

/** The secret fact of a message, and its use. It is stored sealed, and deleted once it has been used or has expired. */
export const SECRETS_OF_MESSAGES: Readonly<
  Record<SecretTemplate, { fact: 'code' | 'link'; opens: 'activation' | 'invitation' | 'one-time' }>
> = {
  'activation-code': { fact: 'code', opens: 'activation' },
  invitation: { fact: 'link', opens: 'invitation' },
  'one-time-code': { fact: 'code', opens: 'one-time' },
  'email-code': { fact: 'code', opens: 'one-time' },
};

/** An organisation's own texts of an email in one language; without a row, the default texts apply. */
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
 * Emails and text messages, written in the transaction of their cause. A row contains facts, and the text is generated
 * when it is read or sent: half a million invitations then take 200 MB instead of 3 GB.
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
    /** Facts without the secret. */
    facts: json<Record<string, unknown>>().notNull(),
    /** The secret, see `SECRETS_OF_MESSAGES`; null if there is none, or if it has been used or has expired. */
    code: sealed(),
    createdAt: time().notNull(),
    deliveredAt: time(),
    /** Number of attempts to pass it to the mail server. */
    attempts: integer().notNull().default(0),
    /** Time of the next attempt to send it; null if it is not to be sent. */
    nextAttemptAt: time(),
    /** The mail server's response to the last attempt, if it failed. */
    lastError: text(),
    /** The member who gets the secret. */
    secretFor: text(),
    /** Expiry of the secret, while it is stored. */
    secretUntil: time(),
    /** The recipient's language when it was written; its text is generated when it is read or sent. */
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
