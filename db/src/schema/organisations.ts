import { DEFAULT_BRAND, type Language, type Permission, type RoleType } from '@orchestrate/shared';
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, json, sealed, time } from './columns.ts';

export const organisations = sqliteTable(
  'organisations',
  {
    orgCode: text().primaryKey(),
    /**
     * Member ids run from `number * 2^32` to the next organisation's, so an index ordered by id keeps the members
     * together.
     */
    number: integer().notNull(),
    name: text().notNull(),
    primaryAttrField: text().notNull(),
    primaryEmailField: text().notNull().default('primaryEmail'),
    /** Address of the logo, null where there is none. */
    logo: text(),
    color: text().notNull().default(DEFAULT_BRAND),
    title: text().notNull(),
    bannerText: text().notNull().default(''),
    loginButtonName: text().notNull().default('Sign in'),
    copyrightText: text().notNull().default(''),
    portalOidcEnabled: flag().notNull().default(false),
    oidcButtonLabel: text().notNull().default(''),
    didEnabled: flag().notNull().default(true),
    webAuthnEnabled: flag().notNull().default(false),
    mobileAppEnabled: flag().notNull().default(true),
    desktopAppEnabled: flag().notNull().default(true),
    forceAuthnEnabled: flag().notNull().default(false),
    stepUpAuthEnabled: flag().notNull().default(false),
    appLockEnabled: flag().notNull().default(false),
    allowReporteeSearch: flag().notNull().default(true),
    /** Minutes. */
    sessionTimeout: integer().notNull().default(720),
    /** Minutes. */
    maxCookieLife: integer().notNull().default(0),
    deviceLimit: integer().notNull().default(5),
    /** How long after an invitation its link begins to work, 0 to 24. */
    activationLinkDelayHours: integer().notNull().default(0),
    /** Addresses and CIDR ranges from which people may sign in and join; empty: from anywhere. */
    allowedIps: json<string[]>().notNull().default([]),
    /** Domains of email addresses that may sign up; empty: any. */
    allowedEmailDomains: json<string[]>().notNull().default([]),
    createdAt: time().notNull(),
    /** Whether people who are not signed in are told that a person is unknown, or known already (decision 143). */
    discloseUnknownUsers: flag().notNull().default(false),
    /** Whether logging out of the portal ends the sign-ins to applications in that browser, and the other way round. */
    logoutTogether: flag().notNull().default(false),
    /** Of mails to people who have chosen none, or are not members yet. */
    mailLanguage: text().$type<Language>().notNull().default('en'),
  },
  (table) => [uniqueIndex('organisations_number').on(table.number)],
);

export const roles = sqliteTable(
  'roles',
  {
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    roleCode: text().notNull(),
    /** No two look the same to people, which no index could tell: accents, widths and invisible characters. */
    name: text().notNull(),
    type: text().$type<RoleType>().notNull(),
    permissions: json<Permission[]>().notNull(),
    /** The directory's own id for the group. */
    externalId: text(),
    /** When it was made; null for one as old as its organisation, or made before this was kept. */
    createdAt: time(),
    /** When it, or who has it, was last changed; null where it never was. */
    changedAt: time(),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.roleCode] })],
);

/** Key pairs of this installation; the newest active one signs. */
export const signingKeys = sqliteTable('signing_keys', {
  kid: text().primaryKey(),
  use: text().$type<'session' | 'exchange'>().notNull(),
  /** JSON of a private JWK. */
  privateJwk: sealed().notNull(),
  createdAt: time().notNull(),
});
