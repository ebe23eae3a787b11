import type { Permission, ScimAttribute } from '@orchestrate/shared';
import { blob, integer, primaryKey, sql, sqliteTable, text, uniqueIndex } from '#drizzle';
import { json, sealed, time } from './columns.ts';
import { organisations } from './organisations.ts';

const ofOrganisation = () =>
  text()
    .primaryKey()
    .references(() => organisations.orgCode);

export const logos = sqliteTable('logos', {
  orgCode: ofOrganisation(),
  contentType: text().notNull(),
  bytes: blob({ mode: 'buffer' }).notNull(),
  /** Hash of the image. Part of the logo URL, so a new logo gets a new URL. */
  etag: text().notNull(),
});

/** An organisation's external OpenID provider. The on/off switch and the button label are in `organisations`. */
export const portalOidc = sqliteTable('portal_oidc', {
  orgCode: ofOrganisation(),
  configurationUrl: text().notNull(),
  clientId: text().notNull(),
  /** Readable because the portal sends it to the provider (decision 080). */
  clientSecret: sealed().notNull(),
  /**
   * The member who last configured the provider; null in rows written before this column existed. Not a foreign key
   * because the ID is only used to compare permissions.
   */
  configuredBy: text(),
});

export const scimCredentials = sqliteTable('scim_credentials', {
  orgCode: ofOrganisation(),
  username: text().notNull(),
  /** Readable because the portal displays it (decision 080). */
  password: sealed().notNull(),
  createdAt: time().notNull(),
  /** The member who created the credentials; null in rows written before this column existed. */
  madeBySuid: text(),
  /** The creator's permissions at the time. The credentials never grant more (decision 122). */
  ceiling: json<Permission[]>().notNull().default([]),
});

/** Bearer tokens for an organisation's directories, in addition to `scimCredentials`. */
export const scimTokens = sqliteTable(
  'scim_tokens',
  {
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    name: text().notNull(),
    /** The token itself is shown once and never stored. */
    hash: text().notNull(),
    createdAt: time().notNull(),
    madeBySuid: text(),
    /** The creator's permissions at the time, as in `scimCredentials`. */
    ceiling: json<Permission[]>().notNull().default([]),
    lastUsedAt: time(),
    /** Null for no expiry, which occurs only in seeded data and in rows written before this column existed. */
    expiresAt: time(),
  },
  (table) => [uniqueIndex('scim_tokens_hash').on(table.orgCode, table.hash)],
);

/** User schema extensions an organisation has registered for its directory (RFC 7643 §3.3). */
export const scimSchemas = sqliteTable(
  'scim_schemas',
  {
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    urn: text().notNull(),
    name: text().notNull(),
    description: text().notNull(),
    attributes: json<ScimAttribute[]>().notNull(),
    createdAt: time().notNull(),
  },
  (table) => [uniqueIndex('scim_schemas_urn').on(table.orgCode, sql`lower(${table.urn})`)],
);

/** The latest requests from an organisation's directory. */
export const scimLog = sqliteTable(
  'scim_log',
  {
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** Increases within the organisation, which makes the oldest rows easy to find. */
    number: integer().notNull(),
    at: time().notNull(),
    /** Method and target, e.g. `PATCH /Users/…`. */
    operation: text().notNull(),
    /** The directory's username for the target; empty if unknown. */
    userName: text().notNull(),
    /** HTTP status of the response. */
    status: integer().notNull(),
    /** The request body without secrets, truncated if long; empty if there is none. */
    body: text().notNull(),
    /** Reason why the request was refused; empty if it succeeded. */
    detail: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.number] })],
);
