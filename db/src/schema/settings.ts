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
  /** Hash of the bytes; part of the logo's address, so that a new logo gets a new address. */
  etag: text().notNull(),
});

/**
 * The external OpenID provider of an organisation; whether it is on, and the text of its button, are in
 * `organisations`.
 */
export const portalOidc = sqliteTable('portal_oidc', {
  orgCode: ofOrganisation(),
  configurationUrl: text().notNull(),
  clientId: text().notNull(),
  /** Readable, because it is sent to the provider (decision 080). */
  clientSecret: sealed().notNull(),
  /** Who set it last; null in rows older than this column. A plain id: it is only ever compared. */
  configuredBy: text(),
});

export const scimCredentials = sqliteTable('scim_credentials', {
  orgCode: ofOrganisation(),
  username: text().notNull(),
  /** Readable, because the portal shows it (decision 080). */
  password: sealed().notNull(),
  createdAt: time().notNull(),
  /** The member who made them; null in rows older than this column. */
  madeBySuid: text(),
  /** What their maker was allowed to do at that time: the credentials never give more (decision 122). */
  ceiling: json<Permission[]>().notNull().default([]),
});

/** Bearer tokens of an organisation's directories, beside the pair above. */
export const scimTokens = sqliteTable(
  'scim_tokens',
  {
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    name: text().notNull(),
    /** The token itself is shown once and never kept. */
    hash: text().notNull(),
    createdAt: time().notNull(),
    madeBySuid: text(),
    /** As that of the pair. */
    ceiling: json<Permission[]>().notNull().default([]),
    lastUsedAt: time(),
    /** Null for never; only in rows older than this column, and in worlds. */
    expiresAt: time(),
  },
  (table) => [uniqueIndex('scim_tokens_hash').on(table.orgCode, table.hash)],
);

/** Extensions of users that an organisation has registered for its directory (RFC 7643 §3.3). */
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
    /** Counts up within the organisation, so that the oldest rows are known without a search. */
    number: integer().notNull(),
    at: time().notNull(),
    /** Method and target, e.g. `PATCH /Users/…`. */
    operation: text().notNull(),
    /** The target by the directory's name; '' where that is not known. */
    userName: text().notNull(),
    /** HTTP status of the answer. */
    status: integer().notNull(),
    /** The request body, without secrets, cut where it is long; '' where there was none. */
    body: text().notNull(),
    /** Why it was refused; '' where it was not. */
    detail: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.number] })],
);
