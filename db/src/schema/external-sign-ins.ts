import { index, sqliteTable, text, uniqueIndex } from '#drizzle';
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
    /** The browser that started the sign-in (see `identifyBrowser`). */
    browser: text().notNull(),
    nonce: text().notNull(),
    /** PKCE verifier (RFC 7636 §4.1), sent to the provider with the authorisation code. */
    codeVerifier: text().notNull(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    /** Time at which the browser returned from the provider, whether or not the sign-in succeeded. */
    returnedAt: time(),
    /** The member, once identified. */
    suid: text().references(() => members.suid),
    codeHash: text(),
    approvedAt: time(),
    exchangedAt: time(),
    /** Issuer of the account at the provider, set once the browser has returned. */
    issuer: text(),
    subject: text(),
    /** Email address verified by the provider, or empty. */
    email: text(),
    /** ID of the approval the member must first give on their own device, or null. */
    approvalId: text(),
  },
  (table) => [
    uniqueIndex('external_sign_ins_code').on(table.codeHash),
    index('external_sign_ins_expiry').on(table.expiresAt),
  ],
);

/** Accounts at external providers. They are linked to members by issuer and `sub`, never by email address. */
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
    /** Issuer, as in the provider's discovery document and ID tokens. */
    issuer: text().notNull(),
    /** `sub` claim of the provider's ID tokens. */
    subject: text().notNull(),
    /** The account's email address at the time of linking, shown to help people recognise the account. */
    email: text().notNull(),
    linkedAt: time().notNull(),
    /** Time at which the member approved the link on a device; null if no approval was needed. */
    approvedAt: time(),
    lastUsedAt: time().notNull(),
  },
  (table) => [
    uniqueIndex('external_identities_subject').on(table.subject, table.orgCode, table.issuer),
    index('external_identities_member').on(table.suid, table.orgCode),
  ],
);
