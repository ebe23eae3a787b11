import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { time } from './columns.ts';
import { members } from './members.ts';
import { organisations } from './organisations.ts';

/** Sign-ins through an organisation's external OpenID provider: there, back, and exchanged for a session. */
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
    /** Of PKCE (RFC 7636 §4.1): sent to the provider with the code. */
    codeVerifier: text().notNull(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    /** When the browser came back from the provider, successful or not. */
    returnedAt: time(),
    /** Who signed in, once known, and SHA-256 of the code for which the browser gets a session. */
    suid: text().references(() => members.suid),
    codeHash: text(),
    approvedAt: time(),
    exchangedAt: time(),
    /** Who signed in according to the provider, once the browser has come back. */
    issuer: text(),
    subject: text(),
    /** Verified by the provider; '' where it names none. */
    email: text(),
    /** The approval on the member's own device that this sign-in is waiting for; null where it needs none. */
    approvalId: text(),
  },
  (table) => [
    uniqueIndex('external_sign_ins_code').on(table.codeHash),
    index('external_sign_ins_expiry').on(table.expiresAt),
  ],
);

/** Which account at an external provider signs which member in: by issuer and `sub`, never by an email address. */
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
    /** The address by which it was linked, so that people recognise it. */
    email: text().notNull(),
    linkedAt: time().notNull(),
    /** When the member approved the link on a device; null where none was needed. */
    approvedAt: time(),
    lastUsedAt: time().notNull(),
  },
  (table) => [
    uniqueIndex('external_identities_subject').on(table.subject, table.orgCode, table.issuer),
    index('external_identities_member').on(table.suid, table.orgCode),
  ],
);
