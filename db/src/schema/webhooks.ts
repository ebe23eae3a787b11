import type { AuditAction } from '@orchestrate/shared';
import { index, integer, sql, sqliteTable, text, uniqueIndex } from '#drizzle';
import { flag, json, sealed, time } from './columns.ts';
import { organisations } from './organisations.ts';

/** Endpoints that receive an organisation's events. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    /** Webhook URL, which often contains a token. */
    url: sealed().notNull(),
    description: text().notNull().default(''),
    enabled: flag().notNull().default(true),
    /** Subscribed events; empty for all. */
    events: json<AuditAction[]>().notNull().default([]),
    /** Secret in the format `whsec_…`. */
    secret: sealed().notNull(),
    /** The secret before the last rotation. Deliveries are also signed with it until `oldSecretUntil`. */
    oldSecret: sealed(),
    oldSecretUntil: time(),
    createdAt: time().notNull(),
    /** Time since which deliveries have been failing; null if the last delivery succeeded. */
    failingSince: time(),
    /** Time at which the portal disabled the webhook. */
    disabledAt: time(),
  },
  (table) => [index('webhooks_organisation').on(table.orgCode, table.createdAt)],
);

/** An event for one webhook. Written in the event's transaction, sent afterwards, and retried on failure. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    number: integer().primaryKey(),
    /** Value of the `webhook-id` header. */
    id: text().notNull(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    webhookId: text()
      .notNull()
      .references(() => webhooks.id),
    type: text().notNull(),
    payload: text().notNull(),
    createdAt: time().notNull(),
    status: text().$type<'waiting' | 'delivered' | 'failed'>().notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    lastAttemptAt: time(),
    /** Time of the next attempt; null if none is due. */
    nextAttemptAt: time(),
    responseStatus: integer(),
    /** Start of the response body. */
    responseBody: text().notNull().default(''),
    durationMs: integer(),
    error: text().notNull().default(''),
  },
  (table) => [
    uniqueIndex('webhook_deliveries_id').on(table.id),
    index('webhook_deliveries_webhook').on(table.webhookId, table.orgCode, table.number),
    index('webhook_deliveries_due').on(table.nextAttemptAt).where(sql`${table.nextAttemptAt} IS NOT NULL`),
    index('webhook_deliveries_time').on(table.createdAt),
  ],
);
