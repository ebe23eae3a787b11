import { foreignKey, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { applications } from './applications.ts';
import { json, time } from './columns.ts';
import { organisations } from './organisations.ts';

/** Sign-ins of SAML applications, so that they can be signed out (SAML 2.0 core §3.7). */
export const samlSessions = sqliteTable(
  'saml_sessions',
  {
    /** The session index that the application was told. */
    id: text().primaryKey(),
    orgCode: text().notNull(),
    appId: text().notNull(),
    suid: text().notNull(),
    /** See `sessions.browser`. */
    browser: text(),
    /** Who the person is to the application. */
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
   * `waiting`: the browser has still to be sent there; `asked`: it is there; `told`: its page is opened inside ours,
   * which says nothing about what came of it.
   */
  state: 'waiting' | 'asked' | 'told' | 'done' | 'failed';
  /** The sign-in of a SAML application that ends. */
  saml?: { sessionIndex: string; nameId: string; nameIdFormat: string };
  /** Id of the request that it was sent. */
  requestId?: string;
  /** The page to open, of `told`. */
  page?: string;
}

/** Where the browser goes in the end: nowhere, to an address, or back to the SAML application whose request it was. */
export type LogoutReturn =
  | { kind: 'none' }
  | { kind: 'redirect'; to: string }
  | { kind: 'saml'; appId: string; inResponseTo: string; binding: 'redirect' | 'post'; relayState: string };

/** Logouts under way: everything that ends in one browser, from the first to the page that says what has ended. */
export const logouts = sqliteTable(
  'logouts',
  {
    /** Appears in addresses; a secret of the browser. */
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    suid: text().notNull(),
    browser: text().notNull(),
    /** The application that has begun it, which is signed out already; '' for the portal. */
    begunBy: text().notNull(),
    goesTo: json<LogoutReturn>().notNull(),
    participants: json<LogoutParticipant[]>().notNull(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    /** When everything that needs no browser was ended. */
    gatheredAt: time(),
    /** Browsers of the same person, where the application has named sign-ins in several. */
    otherBrowsers: json<string[]>().notNull().default([]),
    /** The browser that started it, see `identifyBrowser`; null if it sent no cookie. */
    startedBy: text(),
  },
  (table) => [index('logouts_organisation').on(table.orgCode), index('logouts_expiry').on(table.expiresAt)],
);

/** Applications that have still to be told, by the portal itself, that a sign-in there has ended. */
export const logoutNotices = sqliteTable(
  'logout_notices',
  {
    number: integer().primaryKey(),
    orgCode: text().notNull(),
    appId: text().notNull(),
    suid: text().notNull(),
    protocol: text().$type<'oidc' | 'saml'>().notNull(),
    /** OIDC: the `sid` that the application was told. SAML: the session index, whose row stays until it was told. */
    sid: text().notNull(),
    attempts: integer().notNull().default(0),
    /** When it is due. */
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
