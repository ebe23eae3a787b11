import { DEFAULT_BRAND, type Language, type Permission, type RoleType } from '@orchestrate/shared';
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, json, sealed, time } from './columns.ts';

export const organisations = sqliteTable(
  'organisations',
  {
    orgCode: text().primaryKey(),
    /**
     * Member ids run from `number * 2^32` to the next organisation's, so that an index ordered by id keeps the members
     * together.
     */
    number: integer().notNull(),
    name: text().notNull(),
    primaryAttrField: text().notNull(),
    primaryEmailField: text().notNull().default('primaryEmail'),
    /** URL of the logo, or null. */
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
    /** Timeout in minutes. */
    sessionTimeout: integer().notNull().default(720),
    /** Lifetime in minutes. */
    maxCookieLife: integer().notNull().default(0),
    deviceLimit: integer().notNull().default(5),
    /** Hours after an invitation from which its link works, 0 to 24. */
    activationLinkDelayHours: integer().notNull().default(0),
    /** Addresses and CIDR ranges from which people can sign in and join; empty: any. */
    allowedIps: json<string[]>().notNull().default([]),
    /** Domains of email addresses that can sign up; empty: any. */
    allowedEmailDomains: json<string[]>().notNull().default([]),
    createdAt: time().notNull(),
    /** True to disclose to visitors if a user is unknown or already exists (decision 143). */
    discloseUnknownUsers: flag().notNull().default(false),
    /** True if logging out of the portal ends the browser's sign-ins to applications, and vice versa. */
    logoutTogether: flag().notNull().default(false),
    /** Language of emails to people who have chosen none, or are not members yet. */
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
    /**
     * Roles' names look different from each other, which no index could ensure: accents, widths and invisible
     * characters.
     */
    name: text().notNull(),
    type: text().$type<RoleType>().notNull(),
    permissions: json<Permission[]>().notNull(),
    /** The directory's own id for the group. */
    externalId: text(),
    /** Time of creation; null if it is as old as its organisation, or older than this column. */
    createdAt: time(),
    /** Time of the last change of the role or its members, or null. */
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
