import { foreignKey, index, integer, sqliteTable, text } from '#drizzle';
import { applications } from './applications.ts';
import { json, time } from './columns.ts';
import { organisations } from './organisations.ts';

/** Sign-ins to SAML applications, for single logout (SAML 2.0 core §3.7). */
export const samlSessions = sqliteTable(
  'saml_sessions',
  {
    /** Session index in the assertion sent to the application. */
    id: text().primaryKey(),
    orgCode: text().notNull(),
    appId: text().notNull(),
    suid: text().notNull(),
    /** The browser, as in `sessions.browser`. */
    browser: text(),
    /** The member's identifier at the application. */
    nameId: text().notNull(),
    nameIdFormat: text().notNull(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    /** The device that approved the sign-in; null in rows written before this column existed. */
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

/** An application taking part in a logout, or the portal itself. */
export interface LogoutParticipant {
  /** Empty for the portal. */
  appId: string;
  name: string;
  /**
   * `waiting`: the browser hasn't been sent to the application yet; `asked`: the browser is at the application;
   * `told`: the application's logout page is open in one of our frames, which can't report the outcome.
   */
  state: 'waiting' | 'asked' | 'told' | 'done' | 'failed';
  /** The SAML session to end. */
  saml?: { sessionIndex: string; nameId: string; nameIdFormat: string };
  requestId?: string;
  /** Logout page to open, for `told`. */
  page?: string;
}

/** Where the browser goes after the logout: nowhere, to a URL, or to the SAML application that requested the logout. */
export type LogoutReturn =
  | { kind: 'none' }
  | { kind: 'redirect'; to: string }
  | { kind: 'saml'; appId: string; inResponseTo: string; binding: 'redirect' | 'post'; relayState: string };

/** Pending logouts. Each covers every sign-in to end in one browser, from the request to the results page. */
export const logouts = sqliteTable(
  'logouts',
  {
    /** Used in URLs, and known only to the browser. */
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    suid: text().notNull(),
    browser: text().notNull(),
    /** The application that started the logout and is already signed out; empty for the portal. */
    begunBy: text().notNull(),
    goesTo: json<LogoutReturn>().notNull(),
    participants: json<LogoutParticipant[]>().notNull(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    /** Time at which all sign-ins that can end without the browser had ended. */
    gatheredAt: time(),
    /** The member's other browsers, if the application named sign-ins in several browsers. */
    otherBrowsers: json<string[]>().notNull().default([]),
    /** The browser that started the logout (see `identifyBrowser`); null if the browser sent no cookie. */
    startedBy: text(),
  },
  (table) => [index('logouts_organisation').on(table.orgCode), index('logouts_expiry').on(table.expiresAt)],
);

/** Pending notifications that tell applications about ended sign-ins. */
export const logoutNotices = sqliteTable(
  'logout_notices',
  {
    number: integer().primaryKey(),
    orgCode: text().notNull(),
    appId: text().notNull(),
    suid: text().notNull(),
    protocol: text().$type<'oidc' | 'saml'>().notNull(),
    /**
     * OIDC: the application's `sid`. SAML: the session index. The SAML session's row stays until the notification is
     * sent.
     */
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
