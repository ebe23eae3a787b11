import type { LoginMode } from '@orchestrate/shared';
import { foreignKey, index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { applications } from './applications.ts';
import { flag, time } from './columns.ts';

/** Pending sign-ins to applications: from the protocol to the sign-in page and back. */
export const appLogins = sqliteTable(
  'app_logins',
  {
    /** Appears in URLs. */
    id: text().primaryKey(),
    orgCode: text().notNull(),
    appId: text().notNull(),
    protocol: text().$type<'oidc' | 'saml' | 'radius' | 'ldap'>().notNull(),
    /** State that the protocol needs to continue, in its own format. */
    request: text().notNull().default(''),
    loginHint: text().notNull().default(''),
    /**
     * True if the sign-in needs a match number, because the application or, at the approval, the organisation requires
     * it.
     */
    needsStepUp: flag().notNull().default(false),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    /** Member, device and method of the sign-in, once completed. */
    suid: text(),
    zid: text(),
    mode: text().$type<LoginMode>(),
    authenticatedAt: time(),
    /** Time at which the protocol continued with it. */
    claimedAt: time(),
    /** The browser that started it, see `identifyBrowser`; null for protocols without one. Only it can continue. */
    browser: text(),
    /** True if another site sent the browser here. */
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
