import type {
  AppClaim,
  AppUsers,
  ClientKeys,
  ClientKind,
  ID_TOKEN_ALGORITHMS,
  IntegrationType,
  RadiusMethod,
} from '@orchestrate/shared';
import {
  type AnySQLiteColumn,
  blob,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { flag, json, sealed, time } from './columns.ts';
import { organisations } from './organisations.ts';

export const applications = sqliteTable(
  'applications',
  {
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** Unique in its organisation, because it is part of addresses; also the client id of an OIDC application. */
    appId: text().notNull(),
    name: text().notNull(),
    /** The name in lower case: two names in an organisation must differ in more than case. */
    nameKey: text().notNull(),
    description: text().notNull().default(''),
    integrationType: text().$type<IntegrationType>().notNull(),
    /** Seconds. */
    maxCookieLife: integer().notNull().default(0),
    didEnabled: flag().notNull().default(true),
    webAuthnEnabled: flag().notNull().default(true),
    desktopAppEnabled: flag().notNull().default(true),
    forceAuthnEnabled: flag().notNull().default(false),
    createdAt: time().notNull(),
    /** Who may use it; null: everybody. Rows from before there were groups have none. */
    usableBy: json<Omit<NonNullable<AppUsers>, 'groups'> & { groups?: string[] }>(),
    /** The page on which people start with it; null: it has none. */
    startUrl: text(),
    /** Address of its logo, null where it has none; the picture is in `app_logos`. */
    logo: text(),
  },
  (table) => [
    primaryKey({ columns: [table.orgCode, table.appId] }),
    uniqueIndex('applications_name').on(table.orgCode, table.nameKey),
  ],
);

type OfApplication = { orgCode: AnySQLiteColumn; appId: AnySQLiteColumn };
const ofApplication = ({ orgCode, appId }: OfApplication) =>
  foreignKey({ columns: [orgCode, appId], foreignColumns: [applications.orgCode, applications.appId] }).onDelete(
    'cascade',
  );

/** The OIDC part of an application: OpenID Connect Dynamic Client Registration 1.0 §2. Lifetimes in seconds. */
export const oidcClients = sqliteTable(
  'oidc_clients',
  {
    orgCode: text().notNull(),
    appId: text().notNull(),
    redirectUris: json<string[]>().notNull(),
    postLogoutRedirectUris: json<string[]>().notNull(),
    ttlIdToken: integer().notNull(),
    ttlAccessToken: integer().notNull(),
    ttlAuthorizationCode: integer().notNull(),
    ttlRefreshToken: integer().notNull(),
    kind: text().$type<ClientKind>().notNull().default('web'),
    /**
     * Where the application is told that somebody has signed out; null: nowhere. The first is called by us, the second
     * by the browser.
     */
    backchannelLogoutUri: text(),
    frontchannelLogoutUri: text(),
    /** Claims beside those of the standard scopes. */
    claims: json<AppClaim[]>().notNull().default([]),
    /** Its public keys, or where it publishes them; both null: it has a secret, or is public. */
    jwks: json<ClientKeys>(),
    jwksUri: text(),
    idTokenAlg: text().$type<(typeof ID_TOKEN_ALGORITHMS)[number]>().notNull().default('RS256'),
    /** Of a client that has registered itself: what it manages itself with (RFC 7592 §3). */
    registrationTokenHash: text(),
    /**
     * The name that it gave itself, which the application's own may only resemble: it is told this one (RFC 7591
     * §3.2.1).
     */
    registeredName: text(),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.appId] }), ofApplication(table)],
);

export const appLogos = sqliteTable(
  'app_logos',
  {
    orgCode: text().notNull(),
    appId: text().notNull(),
    contentType: text().notNull(),
    bytes: blob({ mode: 'buffer' }).notNull(),
    /** Hash of the bytes; part of the logo's address, so that a new logo gets a new address. */
    etag: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.appId] }), ofApplication(table)],
);

/** The RADIUS or LDAP part of an application. */
export const networkClients = sqliteTable(
  'network_clients',
  {
    orgCode: text().notNull(),
    appId: text().notNull(),
    /** RADIUS: the secret shared with the client. LDAP: the password of the account that searches. */
    secret: sealed().notNull(),
    /** How RADIUS asks; LDAP can only wait. */
    method: text().$type<RadiusMethod>().notNull().default('number'),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.appId] }), ofApplication(table)],
);

/** Secrets of OIDC applications. The portal shows them to those who configure clients (decision 080). */
export const clientSecrets = sqliteTable(
  'client_secrets',
  {
    id: text().primaryKey(),
    orgCode: text().notNull(),
    appId: text().notNull(),
    name: text().notNull(),
    secret: sealed().notNull(),
    createdAt: time().notNull(),
    expiresAt: time(),
    lastUsedAt: time(),
  },
  (table) => [index('client_secrets_app').on(table.orgCode, table.appId), ofApplication(table)],
);

/** The SAML part of an application. */
export const samlServiceProviders = sqliteTable(
  'saml_service_providers',
  {
    orgCode: text().notNull(),
    appId: text().notNull(),
    /** Metadata as they were uploaded, up to 5 MiB. */
    metadata: text().notNull(),
    redirectUrl: text().notNull(),
    nameId: text().notNull(),
    nameIdFormat: text().notNull().default(''),
    nameIdTransformationTemplate: text().notNull().default(''),
    attributes: json<string[]>().notNull(),
    attributesConfig: json<{ name: string; format?: string; transform?: string }[]>().notNull(),
    /** Whether assertions are encrypted for the key in its metadata. */
    encryptAssertions: flag().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.appId] }), ofApplication(table)],
);

/** Key pairs with which an organisation signs as a SAML identity provider; the newest one signs. */
export const samlKeys = sqliteTable(
  'saml_keys',
  {
    kid: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** PKCS #8, PEM. */
    privateKey: sealed().notNull(),
    /** X.509, PEM. */
    certificate: text().notNull(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
  },
  (table) => [index('saml_keys_organisation').on(table.orgCode, table.createdAt)],
);
