import type { AppTryResult, LoginMode } from '@orchestrate/shared';
import { foreignKey, index, sqliteTable, text } from '#drizzle';
import { applications } from './applications.ts';
import { flag, json, time } from './columns.ts';

/** Pending application sign-ins, from the protocol's request to the sign-in page and back. */
export const appSignIns = sqliteTable(
  'app_logins',
  {
    /** ID of the sign-in. Appears in URLs. */
    id: text().primaryKey(),
    orgCode: text().notNull(),
    appId: text().notNull(),
    protocol: text().$type<'oidc' | 'saml' | 'radius' | 'ldap'>().notNull(),
    /** Protocol state needed to resume the sign-in, in the protocol's own format. */
    request: text().notNull().default(''),
    loginHint: text().notNull().default(''),
    /** True if the application requires a match number. Also set at approval if the organisation required one. */
    needsStepUp: flag().notNull().default(false),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    /** The member who signed in, set once the sign-in completes. */
    suid: text(),
    zid: text(),
    mode: text().$type<LoginMode>(),
    authenticatedAt: time(),
    /** Time at which the protocol resumed the sign-in. */
    claimedAt: time(),
    /**
     * The browser that started the sign-in and the only one that can continue it (see `identifyBrowser`); null for
     * protocols without a browser.
     */
    browser: text(),
    /** True if another site redirected the browser here. */
    isFromAnotherSite: flag().notNull().default(false),
  },
  (table) => [
    foreignKey({
      columns: [table.orgCode, table.appId],
      foreignColumns: [applications.orgCode, applications.appId],
    }).onDelete('cascade'),
    index('app_logins_application').on(table.orgCode, table.appId),
    index('app_logins_expiry').on(table.expiresAt),
  ],
);

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
