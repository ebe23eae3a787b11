import type { AppTryResult } from '@orchestrate/shared';
import { foreignKey, index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { applications } from './applications.ts';
import { json, time } from './columns.ts';

/**
 * Sign-ins with which administrators test an application's settings: out to the protocol and back, with the findings.
 */
export const appTries = sqliteTable(
  'app_tries',
  {
    /** Also the protocol's `state` or `RelayState`. */
    id: text().primaryKey(),
    orgCode: text().notNull(),
    appId: text().notNull(),
    protocol: text().$type<'oidc' | 'saml'>().notNull(),
    /** The administrator who began the try. */
    suid: text().notNull(),
    /** The browser that started it, see `identifyBrowser`. */
    browser: text().notNull(),
    nonce: text().notNull(),
    /** Of PKCE (RFC 7636 §4.1): sent to the token endpoint with the code. */
    codeVerifier: text().notNull(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    /** When the browser came back, successful or not. */
    returnedAt: time(),
    result: json<AppTryResult>(),
  },
  (table) => [
    foreignKey({
      columns: [table.orgCode, table.appId],
      foreignColumns: [applications.orgCode, applications.appId],
    }).onDelete('cascade'),
    index('app_tries_application').on(table.appId, table.orgCode),
    index('app_tries_expiry').on(table.expiresAt),
  ],
);
