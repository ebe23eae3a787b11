import { foreignKey, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { applications } from './applications.ts';
import { json, time } from './columns.ts';
import { organisations } from './organisations.ts';

/** Sign-ins of SAML applications, for single logout (SAML 2.0 core §3.7). */
export const samlSessions = sqliteTable(
  'saml_sessions',
  {
    /** The session index in the application's assertion. */
    id: text().primaryKey(),
    orgCode: text().notNull(),
    appId: text().notNull(),
    suid: text().notNull(),
    /** See `sessions.browser`. */
    browser: text(),
    /** The member's identifier at the application. */
    nameId: text().notNull(),
    nameIdFormat: text().notNull(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    /** The device of the sign-in; null in rows older than this column. */
    zid: text(),
  },
  (table) => [
    foreignKey({
      columns: [table.orgCode, table.appId],
      foreignColumns: [applications.orgCode, applications.appId],
    }).onDelete('cascade'),
    index('saml_sessions_browser').on(table.browser, table.orgCode),
    index('saml_sessions_member').on(table.suid, table.orgCode),
    index('saml_sessions_device').on(table.zid, table.orgCode),
    index('saml_sessions_application').on(table.orgCode, table.appId, table.nameId),
    index('saml_sessions_expiry').on(table.expiresAt),
  ],
);

/** One application of a logout, or the portal itself. */
export interface LogoutParticipant {
  /** '' for the portal. */
  appId: string;
  name: string;
  /**
   * `waiting`: the browser has yet to be sent there; `asked`: the browser is there; `told`: its page is open in a frame
   * of ours, which doesn't report the outcome.
   */
  state: 'waiting' | 'asked' | 'told' | 'done' | 'failed';
  /** The SAML session that ends. */
  saml?: { sessionIndex: string; nameId: string; nameIdFormat: string };
  /** Id of the logout request. */
  requestId?: string;
  /** The page to open, for `told`. */
  page?: string;
}

/** Target of the browser after the logout: none, a URL, or the SAML application that requested the logout. */
export type LogoutReturn =
  | { kind: 'none' }
  | { kind: 'redirect'; to: string }
  | { kind: 'saml'; appId: string; inResponseTo: string; binding: 'redirect' | 'post'; relayState: string };

/** Pending logouts: everything that ends in one browser, from the request to the page with the results. */
export const logouts = sqliteTable(
  'logouts',
  {
    /** Appears in URLs; a secret of the browser. */
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    suid: text().notNull(),
    browser: text().notNull(),
    /** The application that started it, which is already signed out; '' for the portal. */
    begunBy: text().notNull(),
    goesTo: json<LogoutReturn>().notNull(),
    participants: json<LogoutParticipant[]>().notNull(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    /** Time at which all sign-ins that don't need a browser had ended. */
    gatheredAt: time(),
    /** Other browsers of the same member, if the application named sign-ins in several. */
    otherBrowsers: json<string[]>().notNull().default([]),
    /** The browser that started it, see `identifyBrowser`; null if it sent no cookie. */
    startedBy: text(),
  },
  (table) => [index('logouts_organisation').on(table.orgCode), index('logouts_expiry').on(table.expiresAt)],
);

/** Notices of ended sign-ins that the portal has yet to send to applications. */
export const logoutNotices = sqliteTable(
  'logout_notices',
  {
    number: integer().primaryKey(),
    orgCode: text().notNull(),
    appId: text().notNull(),
    suid: text().notNull(),
    protocol: text().$type<'oidc' | 'saml'>().notNull(),
    /** OIDC: the application's `sid`. SAML: the session index, whose row stays until the notice is sent. */
    sid: text().notNull(),
    attempts: integer().notNull().default(0),
    /** Time of the next attempt. */
    nextAttemptAt: time().notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.orgCode, table.appId],
      foreignColumns: [applications.orgCode, applications.appId],
    }).onDelete('cascade'),
    index('logout_notices_application').on(table.orgCode, table.appId),
    index('logout_notices_due').on(table.nextAttemptAt),
  ],
);
