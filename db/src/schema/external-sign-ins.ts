import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { time } from './columns.ts';
import { members } from './members.ts';
import { organisations } from './organisations.ts';

/** Sign-ins through an organisation's external OpenID provider: there, back, and exchanged for a session. */
export const externalSignIns = sqliteTable(
  'external_sign_ins',
  {
    /** SHA-256 of the `state` that the provider hands back, base64url. */
    stateHash: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** SHA-256 of the secret that the beginning browser keeps in a cookie, base64url. */
    browserHash: text().notNull(),
    nonce: text().notNull(),
    /** Of PKCE (RFC 7636 §4.1): sent to the provider with the code. */
    codeVerifier: text().notNull(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    /** When the browser came back from the provider, for good or ill. */
    returnedAt: time(),
    /** Who it was, when that was known, and SHA-256 of the code for which the browser gets a session. */
    suid: text().references(() => members.suid),
    codeHash: text(),
    approvedAt: time(),
    exchangedAt: time(),
    /** Who the provider says it was, from when the browser came back. */
    issuer: text(),
    subject: text(),
    /** As the provider has verified it; '' where it says none. */
    email: text(),
    /** The approval on the member's own device that this sign-in waits for; null where it needs none. */
    approvalId: text(),
  },
  (table) => [
    uniqueIndex('external_sign_ins_code').on(table.codeHash),
    index('external_sign_ins_expiry').on(table.expiresAt),
  ],
);

/** Which account at an external provider signs which member in: by issuer and `sub`, never by an e-mail address. */
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
    /** As the provider's discovery document and ID tokens say it. */
    issuer: text().notNull(),
    /** `sub` of its ID tokens. */
    subject: text().notNull(),
    /** The address by which it was linked, for people to recognise it. */
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
