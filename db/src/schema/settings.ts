import type { Permission } from '@orchestrate/shared';
import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
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
  /** Of the bytes; also stands in the logo's address, so that a new logo is a new address. */
  etag: text().notNull(),
});

/** The external OpenID provider of an organisation; whether it is on and how its button reads stands in `organisations`. */
export const portalOidc = sqliteTable('portal_oidc', {
  orgCode: ofOrganisation(),
  configurationUrl: text().notNull(),
  clientId: text().notNull(),
  /** It is sent to the provider (decision 080). */
  clientSecret: sealed().notNull(),
  /** Who set it last; null where that was before it was kept. A plain id: it is only ever compared with. */
  configuredBy: text(),
});

export const scimCredentials = sqliteTable('scim_credentials', {
  orgCode: ofOrganisation(),
  username: text().notNull(),
  /** The portal shows it (decision 080). */
  password: sealed().notNull(),
  createdAt: time().notNull(),
  /** The member who made them; null for those of the time before this was kept. */
  madeBySuid: text(),
  /** What their maker was allowed to do at that time: what they may give is never more (decision 149). */
  ceiling: json<Permission[]>().notNull().default([]),
});

/** What the directory of an organisation has asked for: the newest of it. */
export const scimLog = sqliteTable(
  'scim_log',
  {
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** Counts up within the organisation, so that the oldest are known without looking. */
    number: integer().notNull(),
    at: time().notNull(),
    /** Method and what it was about, e.g. `PATCH /Users/…`. */
    operation: text().notNull(),
    /** Whom or what it was about, as the directory calls it; '' where that is not known. */
    userName: text().notNull(),
    /** HTTP status of the answer. */
    status: integer().notNull(),
    /** What was sent, without secrets, cut where it is long; '' where nothing was. */
    body: text().notNull(),
    /** Why it was refused; '' where it was not. */
    detail: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgCode, table.number] })],
);
