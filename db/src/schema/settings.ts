import type { Permission, ScimAttribute } from '@orchestrate/shared';
import { sql } from 'drizzle-orm';
import { blob, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
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
  /** Hash of the bytes; part of the logo's URL, so that a new logo gets a new URL. */
  etag: text().notNull(),
});

/** The external OpenID provider of an organisation. The switch and the label of its button are in `organisations`. */
export const portalOidc = sqliteTable('portal_oidc', {
  orgCode: ofOrganisation(),
  configurationUrl: text().notNull(),
  clientId: text().notNull(),
  /** Readable, because it is sent to the provider (decision 080). */
  clientSecret: sealed().notNull(),
  /** The member who set it last; null in rows older than this column. A plain id: it is only ever compared. */
  configuredBy: text(),
});

export const scimCredentials = sqliteTable('scim_credentials', {
  orgCode: ofOrganisation(),
  username: text().notNull(),
  /** Readable, because the portal displays it (decision 080). */
  password: sealed().notNull(),
  createdAt: time().notNull(),
  /** The member who created them; null in rows older than this column. */
  madeBySuid: text(),
  /** Permissions of the creator at that time: the credentials never grant more (decision 122). */
  ceiling: json<Permission[]>().notNull().default([]),
});

/** Bearer tokens of an organisation's directories, in addition to the pair above. */
export const scimTokens = sqliteTable(
  'scim_tokens',
  {
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    name: text().notNull(),
    /** The token itself is displayed once and never stored. */
    hash: text().notNull(),
    createdAt: time().notNull(),
    madeBySuid: text(),
    /** As for the pair above. */
    ceiling: json<Permission[]>().notNull().default([]),
    lastUsedAt: time(),
    /** Null for no expiry, which only rows older than this column and worlds have. */
    expiresAt: time(),
  },
  (table) => [uniqueIndex('scim_tokens_hash').on(table.orgCode, table.hash)],
);

/** User extensions that an organisation has registered for its directory (RFC 7643 §3.3). */
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

/** The latest requests of an organisation's directory. */
export const scimLog = sqliteTable(
  'scim_log',
  {
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** Increases within the organisation, so that the oldest rows are known without a search. */
    number: integer().notNull(),
    at: time().notNull(),
    /** Method and target, e.g. `PATCH /Users/…`. */
    operation: text().notNull(),
    /** The directory's name for the target; '' if unknown. */
    userName: text().notNull(),
    /** HTTP status of the response. */
    status: integer().notNull(),
    /** The request body without secrets, truncated if long; '' if there is none. */
    body: text().notNull(),
    /** Reason for a refusal, or ''. */
    detail: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.number] })],
);
