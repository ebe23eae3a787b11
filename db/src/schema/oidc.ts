import { foreignKey, index, primaryKey, sql, sqliteTable, text, uniqueIndex } from '#drizzle';
import { applications } from './applications.ts';
import { json, sealed, time } from './columns.ts';
import { organisations } from './organisations.ts';

/** State stored by oidc-provider: sessions, grants, codes and tokens, each as one of its models. */
export const oidcModels = sqliteTable(
  'oidc_models',
  {
    /** SHA-256 of the model's ID, base64url. The IDs of codes, tokens and sessions are secrets. */
    idHash: text().notNull(),
    model: text().notNull(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    payload: json<Record<string, unknown>>().notNull(),
    /** The grant behind a code or token. Revoking the grant revokes the code or token too. */
    grantId: text(),
    /**
     * Sessions: the ID that links them to their tokens. Tokens: the sign-in that produced them. Device codes: the
     * user code, sealed.
     */
    uid: text(),
    clientId: text(),
    /**
     * The member who signed in. Set only on sessions, grants and the last step of a sign-in. Removing the member ends
     * all of these.
     */
    suid: text(),
    zid: text(),
    /** Time at which a single-use model was used. */
    consumedAt: time(),
    expiresAt: time().notNull(),
    /**
     * The browser, as in `saml_sessions.browser`. Set only on sessions and on pushed authorisation requests that a
     * browser has opened.
     */
    browser: text(),
  },
  (table) => [
    primaryKey({ columns: [table.idHash, table.model, table.orgCode] }),
    foreignKey({
      columns: [table.orgCode, table.clientId],
      foreignColumns: [applications.orgCode, applications.appId],
    }).onDelete('cascade'),
    index('oidc_models_grant').on(table.grantId, table.orgCode).where(sql`${table.grantId} IS NOT NULL`),
    index('oidc_models_uid').on(table.uid, table.orgCode).where(sql`${table.uid} IS NOT NULL`),
    index('oidc_models_member').on(table.suid, table.orgCode).where(sql`${table.suid} IS NOT NULL`),
    index('oidc_models_device').on(table.zid, table.orgCode).where(sql`${table.zid} IS NOT NULL`),
    index('oidc_models_browser').on(table.browser, table.orgCode).where(sql`${table.browser} IS NOT NULL`),
    index('oidc_models_application').on(table.orgCode, table.clientId).where(sql`${table.clientId} IS NOT NULL`),
    index('oidc_models_expiry').on(table.expiresAt),
  ],
);

/** An organisation's APIs, for which applications can request access tokens. */
export const apiResources = sqliteTable(
  'api_resources',
  {
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** Audience of the API's access tokens. */
    identifier: text().notNull(),
    name: text().notNull(),
    scopes: json<string[]>().notNull().default([]),
    createdAt: time().notNull(),
  },
  (table) => [uniqueIndex('api_resources_identifier').on(table.identifier, table.orgCode)],
);

/** Tokens that let applications register themselves (RFC 7591 §1.2). */
export const registrationTokens = sqliteTable(
  'registration_tokens',
  {
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    name: text().notNull(),
    /** The token itself is shown once and never stored. */
    hash: text().notNull(),
    createdAt: time().notNull(),
    expiresAt: time(),
    madeBySuid: text(),
    lastUsedAt: time(),
  },
  (table) => [uniqueIndex('registration_tokens_hash').on(table.orgCode, table.hash)],
);

/** An organisation's key pairs for signing as an OpenID provider. The newest key for each algorithm signs. */
export const oidcKeys = sqliteTable(
  'oidc_keys',
  {
    kid: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    alg: text().$type<'RS256' | 'ES256'>().notNull(),
    /** Private JWK as JSON. */
    privateJwk: sealed().notNull(),
    createdAt: time().notNull(),
  },
  (table) => [index('oidc_keys_organisation').on(table.orgCode, table.createdAt)],
);
