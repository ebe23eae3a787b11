import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { time } from './columns.ts';
import { members } from './members.ts';
import { organisations } from './organisations.ts';

/** Sign-ins through an organisation's external OpenID provider, from the redirect to the exchange for a session. */
export const externalSignIns = sqliteTable(
  'external_sign_ins',
  {
    /** SHA-256 of the `state` that the provider returns, base64url. */
    stateHash: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** The browser that started it, see `identifyBrowser`. */
    browser: text().notNull(),
    nonce: text().notNull(),
    /** PKCE verifier (RFC 7636 §4.1), sent to the provider with the code. */
    codeVerifier: text().notNull(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    /** Time at which the browser returned from the provider, successful or not. */
    returnedAt: time(),
    /** The member once known, and the SHA-256 of the code that the browser exchanges for a session. */
    suid: text().references(() => members.suid),
    codeHash: text(),
    approvedAt: time(),
    exchangedAt: time(),
    /** The account at the provider, once the browser has returned. */
    issuer: text(),
    subject: text(),
    /** Email verified by the provider; '' if it provides none. */
    email: text(),
    /** The approval on the member's own device that this sign-in waits for, or null. */
    approvalId: text(),
  },
  (table) => [
    uniqueIndex('external_sign_ins_code').on(table.codeHash),
    index('external_sign_ins_expiry').on(table.expiresAt),
  ],
);

/** Accounts at external providers, linked to members by issuer and `sub`, never by email address. */
export const externalIdentities = sqliteTable(
  'external_identities',
  {
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    suid: text()
      .notNull()
      .references(() => members.suid),
    /** As in the provider's discovery document and ID tokens. */
    issuer: text().notNull(),
    /** `sub` of its ID tokens. */
    subject: text().notNull(),
    /** The email address of the account when it was linked, for people to recognise. */
    email: text().notNull(),
    linkedAt: time().notNull(),
    /** Time at which the member approved the link on a device; null if not needed. */
    approvedAt: time(),
    lastUsedAt: time().notNull(),
  },
  (table) => [
    uniqueIndex('external_identities_subject').on(table.subject, table.orgCode, table.issuer),
    index('external_identities_member').on(table.suid, table.orgCode),
  ],
);
