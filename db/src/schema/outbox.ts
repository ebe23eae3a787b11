import type { AppType, Language } from '@orchestrate/shared';
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { json, sealed, time } from './columns.ts';
import { organisations } from './organisations.ts';

/** The facts of each kind of message, besides the organisation's own texts. Times in milliseconds since the epoch. */
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
  tried: TriedFacts;
}

/** What administrators are told when something points at an attack, in the language of the mail. */
export interface SecurityAlertText {
  /** What happened, as a subject line. */
  subject: string;
  /** The same in one or two sentences. */
  what: string;
  /** Who, from where and so on, e.g. `['Address', '203.0.113.7']`. */
  details: readonly (readonly [label: string, value: string])[];
  /** What to do now. */
  advice: string;
}

export interface SecurityAlertFacts extends SecurityAlertText {
  firstName: string;
  at: number;
}

/** Words that were being tried: they are in the message itself. */
export interface TriedFacts {
  firstName: string;
  /** The mail whose words they are. */
  of: Exclude<MessageTemplate, 'tried'>;
  subject: string;
  body: string;
  at: number;
}

export type MessageTemplate = keyof MessageFacts;

type HasSecret<Facts> = Facts extends { code: string } | { link: string } ? true : false;
/** Messages with a code or a link that opens something. */
export type SecretTemplate = {
  [Template in MessageTemplate]: HasSecret<MessageFacts[Template]> extends true ? Template : never;
}[MessageTemplate];

/** Which fact is secret, and what it opens: it is kept sealed, and forgotten once it has been used or has expired. */
export const SECRETS_OF_MESSAGES: Readonly<
  Record<SecretTemplate, { fact: 'code' | 'link'; opens: 'activation' | 'invitation' | 'one-time' }>
> = {
  'activation-code': { fact: 'code', opens: 'activation' },
  invitation: { fact: 'link', opens: 'invitation' },
  'one-time-code': { fact: 'code', opens: 'one-time' },
  'email-code': { fact: 'code', opens: 'one-time' },
};

/** An organisation's own words for a mail in one language; without a row it has the portal's. */
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
 * Mails and text messages, written in the transaction of their cause. A row holds facts, and the text is made when it
 * is read or sent: half a million invitations then take 200 MB instead of 3 GB.
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
    /** Without the secret. */
    facts: json<Record<string, unknown>>().notNull(),
    /** The secret, as `SECRETS_OF_MESSAGES` names it; null where there is none, or it has been used or has expired. */
    code: sealed(),
    createdAt: time().notNull(),
    deliveredAt: time(),
    /** How many times it has been handed to the mail server. */
    attempts: integer().notNull().default(0),
    /** When it is due for the mail server; null where it is not, or no longer, to be sent. */
    nextAttemptAt: time(),
    /** The mail server's answer to the last attempt, where that failed. */
    lastError: text(),
    /** The member whom the secret is for. */
    secretFor: text(),
    /** When the secret expires, while it is kept. */
    secretUntil: time(),
    /** That of the recipient when it was written; its words are those of the moment in which it is read or sent. */
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
