import type { AppTryResult } from '@orchestrate/shared';
import { foreignKey, index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { applications } from './applications.ts';
import { json, time } from './columns.ts';

/** Test sign-ins that administrators run to check an application's settings, with their results. */
export const testSignIns = sqliteTable(
  'app_tries',
  {
    /** Also used as the protocol's `state` or `RelayState`. */
    id: text().primaryKey(),
    orgCode: text().notNull(),
    appId: text().notNull(),
    protocol: text().$type<'oidc' | 'saml'>().notNull(),
    /** The administrator who started the test. */
    suid: text().notNull(),
    /** The browser that started the test (see `identifyBrowser`). */
    browser: text().notNull(),
    nonce: text().notNull(),
    /** PKCE verifier (RFC 7636 §4.1), sent to the token endpoint with the authorisation code. */
    codeVerifier: text().notNull(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    /** Time at which the browser returned, whether or not the test succeeded. */
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
