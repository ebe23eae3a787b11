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
  },
  (table) => [
    uniqueIndex('external_sign_ins_code').on(table.codeHash),
    index('external_sign_ins_expiry').on(table.expiresAt),
  ],
);
