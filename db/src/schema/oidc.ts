import { sql } from 'drizzle-orm';
import { foreignKey, index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { applications } from './applications.ts';
import { json, sealed, time } from './columns.ts';
import { organisations } from './organisations.ts';

/** Stored state of OpenID Connect: sessions, grants, codes and tokens, each a model of oidc-provider. */
export const oidcModels = sqliteTable(
  'oidc_models',
  {
    /** SHA-256 of the model's id, base64url: for codes, tokens and sessions the id is the secret. */
    idHash: text().notNull(),
    model: text().notNull(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    payload: json<Record<string, unknown>>().notNull(),
    /** The grant that a code or token belongs to: revoking it revokes them. */
    grantId: text(),
    /**
     * Sessions: the id by which their tokens find them. Tokens: the sign-in that they come from. Device codes: the user
     * code, sealed.
     */
    uid: text(),
    clientId: text(),
    /**
     * Only for sessions, grants and the last step of a sign-in: the member and the device that signed in. When either
     * is removed, everything based on it ends.
     */
    suid: text(),
    zid: text(),
    /** Time of use, for single-use models. */
    consumedAt: time(),
    expiresAt: time().notNull(),
    /**
     * The browser, as in `saml_sessions.browser`; only for sessions and for pushed requests that a browser has opened.
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

/** APIs of an organisation that applications can request access tokens for. */
export const apiResources = sqliteTable(
  'api_resources',
  {
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** The audience of its tokens. */
    identifier: text().notNull(),
    name: text().notNull(),
    scopes: json<string[]>().notNull().default([]),
    createdAt: time().notNull(),
  },
  (table) => [uniqueIndex('api_resources_identifier').on(table.identifier, table.orgCode)],
);

/** Tokens with which applications register themselves (RFC 7591 §1.2). */
export const registrationTokens = sqliteTable(
  'registration_tokens',
  {
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    name: text().notNull(),
    /** The token itself is displayed once and never stored. */
    hash: text().notNull(),
    createdAt: time().notNull(),
    expiresAt: time(),
    madeBySuid: text(),
    lastUsedAt: time(),
  },
  (table) => [uniqueIndex('registration_tokens_hash').on(table.orgCode, table.hash)],
);

/** Key pairs with which an organisation signs as an OpenID provider; the newest one of each algorithm signs. */
export const oidcKeys = sqliteTable(
  'oidc_keys',
  {
    kid: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    alg: text().$type<'RS256' | 'ES256'>().notNull(),
    /** JSON of a private JWK. */
    privateJwk: sealed().notNull(),
    createdAt: time().notNull(),
  },
  (table) => [index('oidc_keys_organisation').on(table.orgCode, table.createdAt)],
);
