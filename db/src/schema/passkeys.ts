import { blob, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, json } from './columns.ts';
import { devices } from './devices.ts';
import { organisations } from './organisations.ts';

/** A passkey's own data besides its device (W3C Web Authentication Level 3, §4 "credential record"). */
export const passkeys = sqliteTable(
  'passkeys',
  {
    zid: text()
      .primaryKey()
      .references(() => devices.zid),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** Base64url, made by the authenticator: unique in the installation, which is one relying party. */
    credentialId: text().notNull(),
    /** COSE_Key (RFC 9052), of whatever algorithm the authenticator chose. */
    publicKey: blob({ mode: 'buffer' }).notNull(),
    /** How many times it has signed; stays 0 where passkeys are synchronised between devices. */
    counter: integer().notNull(),
    /** How browsers reach the authenticator: 'internal', 'usb', 'hybrid' … */
    transports: json<string[]>().notNull(),
    /** Whether it was backed up when it last signed. */
    backedUp: flag().notNull(),
    /** Whether it can be backed up, which never changes; null for an older one until it signs in again. */
    backupEligible: flag(),
  },
  (table) => [uniqueIndex('passkeys_credential').on(table.credentialId), index('passkeys_org').on(table.orgCode)],
);
