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
    /** Unique in its organisation, because it is part of URLs; also the client id of an OIDC application. */
    appId: text().notNull(),
    name: text().notNull(),
    /** The name in lower case: two names in an organisation must differ in more than case. */
    nameKey: text().notNull(),
    description: text().notNull().default(''),
    integrationType: text().$type<IntegrationType>().notNull(),
    /** Lifetime in seconds. */
    maxCookieLife: integer().notNull().default(0),
    didEnabled: flag().notNull().default(true),
    webAuthnEnabled: flag().notNull().default(true),
    desktopAppEnabled: flag().notNull().default(true),
    forceAuthnEnabled: flag().notNull().default(false),
    createdAt: time().notNull(),
    /** The members who can use it; null for all. Rows older than groups have no `groups`. */
    usableBy: json<Omit<NonNullable<AppUsers>, 'groups'> & { groups?: string[] }>(),
    /** The page where people start using it, or null. */
    startUrl: text(),
    /** URL of its logo, or null; the image is in `app_logos`. */
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

/** The OIDC settings of an application: OpenID Connect Dynamic Client Registration 1.0 §2. Lifetimes in seconds. */
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
    /** URLs that notify the application of logouts, or null. The portal calls the first, the browser the second. */
    backchannelLogoutUri: text(),
    frontchannelLogoutUri: text(),
    /** Claims in addition to those of the standard scopes. */
    claims: json<AppClaim[]>().notNull().default([]),
    /** Public keys, or their URL; both null for clients that are public or have a secret. */
    jwks: json<ClientKeys>(),
    jwksUri: text(),
    idTokenAlg: text().$type<(typeof ID_TOKEN_ALGORITHMS)[number]>().notNull().default('RS256'),
    /** Hash of the token with which a self-registered client manages itself (RFC 7592 §3). */
    registrationTokenHash: text(),
    /**
     * The name under which it registered itself. The application's own name can differ slightly; the client gets this
     * one (RFC 7591 §3.2.1).
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
    /** Hash of the bytes; part of the logo's URL, so that a new logo gets a new URL. */
    etag: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.appId] }), ofApplication(table)],
);

/** The RADIUS or LDAP settings of an application. */
export const radiusLdapClients = sqliteTable(
  'network_clients',
  {
    orgCode: text().notNull(),
    appId: text().notNull(),
    /** RADIUS: the secret shared with the client. LDAP: the password of the account that searches. */
    secret: sealed().notNull(),
    /** RADIUS sign-in method; LDAP can only wait. */
    method: text().$type<RadiusMethod>().notNull().default('number'),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.appId] }), ofApplication(table)],
);

/** Secrets of OIDC applications. The portal shows them to administrators who configure clients (decision 080). */
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

/** The SAML settings of an application. */
export const samlServiceProviders = sqliteTable(
  'saml_service_providers',
  {
    orgCode: text().notNull(),
    appId: text().notNull(),
    /** Metadata as uploaded, up to 5 MiB. */
    metadata: text().notNull(),
    redirectUrl: text().notNull(),
    nameId: text().notNull(),
    nameIdFormat: text().notNull().default(''),
    nameIdTransformationTemplate: text().notNull().default(''),
    attributes: json<string[]>().notNull(),
    attributesConfig: json<{ name: string; format?: string; transform?: string }[]>().notNull(),
    /** True to encrypt assertions with the key in its metadata. */
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
