import type {
  ACCESS_TOKEN_FORMATS,
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
} from '#drizzle';
import { flag, json, sealed, time } from './columns.ts';
import { organisations } from './organisations.ts';

export const applications = sqliteTable(
  'applications',
  {
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** Unique within the organisation because URLs contain it. Also the client ID of an OIDC application. */
    appId: text().notNull(),
    name: text().notNull(),
    /** Lowercase name. Names in an organisation must differ in more than case. */
    nameKey: text().notNull(),
    description: text().notNull().default(''),
    integrationType: text().$type<IntegrationType>().notNull(),
    /** Maximum cookie lifetime, in seconds. */
    maxCookieLife: integer().notNull().default(0),
    didEnabled: flag().notNull().default(true),
    webAuthnEnabled: flag().notNull().default(true),
    desktopAppEnabled: flag().notNull().default(true),
    forceAuthnEnabled: flag().notNull().default(false),
    createdAt: time().notNull(),
    /** Members who can use the application; null for everyone. Rows written before groups existed lack `groups`. */
    usableBy: json<Omit<NonNullable<AppUsers>, 'groups'> & { groups?: string[] }>(),
    /** Page where members open the application, or null. */
    startUrl: text(),
    /** Logo URL, or null. The image is in `app_logos`. */
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

/** An application's OIDC settings (OpenID Connect Dynamic Client Registration 1.0 §2). Lifetimes are in seconds. */
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
    /** Logout URL that the portal calls (back channel), or null. */
    backchannelLogoutUri: text(),
    frontchannelLogoutUri: text(),
    /** Claims added to the standard scopes' claims. */
    claims: json<AppClaim[]>().notNull().default([]),
    /**
     * Public keys that the client provided directly. Null for public clients, clients with a secret and clients with
     * a key URL.
     */
    jwks: json<ClientKeys>(),
    jwksUri: text(),
    idTokenAlg: text().$type<(typeof ID_TOKEN_ALGORITHMS)[number]>().notNull().default('RS256'),
    /** Hash of the token a self-registered client uses to manage its registration (RFC 7592 §3). */
    registrationTokenHash: text(),
    /**
     * Name the client registered with. The application's own name can differ slightly, but responses to the client
     * use this name (RFC 7591 §3.2.1).
     */
    registeredName: text(),
    /** Format of access tokens without `resource`. */
    accessTokenFormat: text().$type<(typeof ACCESS_TOKEN_FORMATS)[number]>().notNull().default('opaque'),
    /** True if each refresh replaces the refresh token (RFC 9700 §4.14.2). Always true for public clients. */
    rotateRefreshTokens: integer({ mode: 'boolean' }).notNull().default(true),
    /** True if the application can exchange access tokens that it receives for others (RFC 8693). */
    tokenExchange: integer({ mode: 'boolean' }).notNull().default(false),
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
    /** Hash of the image. Part of the logo URL, so a new logo gets a new URL. */
    etag: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.appId] }), ofApplication(table)],
);

/** An application's RADIUS or LDAP settings. */
export const radiusLdapClients = sqliteTable(
  'network_clients',
  {
    orgCode: text().notNull(),
    appId: text().notNull(),
    /** RADIUS: the secret shared with the client. LDAP: the password of the search account. */
    secret: sealed().notNull(),
    /** RADIUS sign-in method. LDAP can only wait for approval. */
    method: text().$type<RadiusMethod>().notNull().default('number'),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.appId] }), ofApplication(table)],
);

/** Secrets of OIDC applications. Administrators who configure clients can view them in the portal (decision 080). */
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

/** An application's SAML settings. */
export const samlServiceProviders = sqliteTable(
  'saml_service_providers',
  {
    orgCode: text().notNull(),
    appId: text().notNull(),
    /** Uploaded metadata, up to 5 MiB. */
    metadata: text().notNull(),
    redirectUrl: text().notNull(),
    nameId: text().notNull(),
    nameIdFormat: text().notNull().default(''),
    nameIdTransformationTemplate: text().notNull().default(''),
    attributes: json<string[]>().notNull(),
    attributesConfig: json<{ name: string; format?: string; transform?: string }[]>().notNull(),
    /** True to encrypt assertions with the key in the metadata. */
    encryptAssertions: flag().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.appId] }), ofApplication(table)],
);

/** An organisation's key pairs for signing as a SAML identity provider. The newest key signs. */
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
