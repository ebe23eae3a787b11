import type { LoginMode } from '@orchestrate/shared';
import { foreignKey, index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { applications } from './applications.ts';
import { flag, time } from './columns.ts';

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
