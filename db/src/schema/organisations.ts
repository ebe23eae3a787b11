import { DEFAULT_BRAND, type Language, type Permission, type RoleType } from '@orchestrate/shared';
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from '#drizzle';
import { flag, json, sealed, time } from './columns.ts';

export const organisations = sqliteTable(
  'organisations',
  {
    orgCode: text().primaryKey(),
    /**
     * Member IDs range from `number * 2^32` up to the next organisation's first ID. This keeps an organisation's
     * members together in indexes ordered by ID.
     */
    number: integer().notNull(),
    name: text().notNull(),
    primaryAttrField: text().notNull(),
    primaryEmailField: text().notNull().default('primaryEmail'),
    /** Logo URL, or null. */
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
    /** Session timeout, in minutes. */
    sessionTimeout: integer().notNull().default(720),
    /** Maximum cookie lifetime, in minutes. */
    maxCookieLife: integer().notNull().default(0),
    deviceLimit: integer().notNull().default(5),
    /** Hours before the link in an invitation works, 0 to 24. */
    activationLinkDelayHours: integer().notNull().default(0),
    /** IP addresses and CIDR ranges from which people can sign in and join; empty to allow all. */
    allowedIps: json<string[]>().notNull().default([]),
    /** Email domains allowed to sign up; empty to allow all. */
    allowedEmailDomains: json<string[]>().notNull().default([]),
    createdAt: time().notNull(),
    /** True to tell visitors whether an account exists (decision 143). */
    discloseUnknownUsers: flag().notNull().default(false),
    /** True if signing out of the portal also ends the browser's application sign-ins, and vice versa. */
    logoutTogether: flag().notNull().default(false),
    /** Email language for members who haven't chosen a language and people who aren't members yet. */
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
     * Role names must look different even with accents, character widths and invisible characters ignored. An index
     * can't enforce this, so the server checks it.
     */
    name: text().notNull(),
    type: text().$type<RoleType>().notNull(),
    permissions: json<Permission[]>().notNull(),
    /** The directory's ID for the group. */
    externalId: text(),
    /** Time of creation; null if the role was created with its organisation or before this column existed. */
    createdAt: time(),
    /** Time of the last change to the role or its members, or null. */
    changedAt: time(),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.roleCode] })],
);

/** This installation's key pairs. The newest active key signs. */
export const signingKeys = sqliteTable('signing_keys', {
  kid: text().primaryKey(),
  use: text().$type<'session' | 'exchange'>().notNull(),
  /** Private JWK as JSON. */
  privateJwk: sealed().notNull(),
  createdAt: time().notNull(),
});
