import { sql } from 'drizzle-orm';
import { foreignKey, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { applications } from './applications.ts';
import { json, sealed, time } from './columns.ts';
import { organisations } from './organisations.ts';

/** What OpenID Connect has to remember: sessions, grants, codes and tokens, each a model of oidc-provider's. */
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
    /** The grant to which a code or a token belongs: with it they are revoked. */
    grantId: text(),
    /** Of sessions: by this their tokens find them. */
    uid: text(),
    clientId: text(),
    /** Of sessions and grants: who has signed in, and with which device. With these ends what rests on them. */
    suid: text(),
    zid: text(),
    /** When it was used, of what may be used once. */
    consumedAt: time(),
    expiresAt: time().notNull(),
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
    index('oidc_models_application').on(table.orgCode, table.clientId).where(sql`${table.clientId} IS NOT NULL`),
    index('oidc_models_expiry').on(table.expiresAt),
  ],
);

/** Key pairs with which an organisation signs as an OpenID provider; of each algorithm the newest one signs. */
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
