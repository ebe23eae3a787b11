import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { applications } from './applications.ts';
import { flag, json, sealed, time } from './columns.ts';
import { members } from './members.ts';

/** The SCIM service of an application, to which its people and groups are sent (decision 183). */
export const provisioningTargets = sqliteTable(
  'provisioning_targets',
  {
    orgCode: text().notNull(),
    appId: text().notNull(),
    /** Base URL of `/Users`, without a trailing slash. Its path can contain a token. */
    url: sealed().notNull(),
    authentication: text().$type<'bearer' | 'basic'>().notNull(),
    /** For `basic` only. */
    username: text().notNull().default(''),
    /** Token or password. */
    secret: sealed().notNull(),
    enabled: flag().notNull(),
    /** HTTP method for changes. */
    changesBy: text().$type<'put' | 'patch'>().notNull(),
    /** Action for people who can no longer use the application. */
    withoutAccess: text().$type<'deactivate' | 'delete'>().notNull(),
    createdAt: time().notNull(),
    /** Number of consecutive attempts in which the service was unreachable or too busy. */
    failures: integer().notNull().default(0),
    /** No one is sent before this time; null if not paused. */
    pausedUntil: time(),
    /** Time at which the portal automatically stopped sending; null while active. */
    stoppedAt: time(),
    /** Reason, as a sentence. */
    stopReason: text().notNull().default(''),
    /** True to send people's managers, by the service's ids. */
    sendManagers: flag().notNull().default(false),
    sendRoles: flag().notNull().default(false),
    /** Attributes of registered schemas to send: the URN, a colon and the attribute's name. */
    sendAttributes: json<string[]>().notNull().default([]),
    sendGroups: flag().notNull().default(false),
    /** The `id` of the last member marked; null if marking is finished. */
    markedUpTo: integer(),
    /** True to send all marked people, changed or not. */
    marksAnew: flag().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.orgCode, table.appId] }),
    foreignKey({
      columns: [table.orgCode, table.appId],
      foreignColumns: [applications.orgCode, applications.appId],
    }).onDelete('cascade'),
  ],
);

/**
 * A person or a group at a service: the data the service has, and when to send the next change. One row for each, so
 * that changes of one cannot overtake each other, and waiting ones are combined.
 */
export const provisionedPeople = sqliteTable(
  'provisioned_people',
  {
    number: integer().primaryKey(),
    orgCode: text().notNull(),
    appId: text().notNull(),
    /** Null for a group. */
    suid: text().references(() => members.suid),
    /** Null for a person. A deleted group keeps its row until the service is notified. */
    groupId: text(),
    /** The service's own id; null if it has none yet. */
    remoteId: text(),
    /** The resource that the service accepted last, as JSON; null if unknown. */
    sent: text(),
    status: text().$type<'waiting' | 'current' | 'failed'>().notNull().default('waiting'),
    /** Incremented with every change, so that a change during a running attempt is sent after it. */
    mark: integer().notNull().default(0),
    /** Attempts since the last success or change. */
    attempts: integer().notNull().default(0),
    /** Time of the next attempt; null if nothing is to be sent. */
    nextAttemptAt: time(),
    /** End of the lease during which no other attempt starts. */
    leasedUntil: time(),
    /** The log entry that the next attempt continues. */
    logNumber: integer(),
    /**
     * True if the person could use the application when the service accepted them last. Managers and group members
     * outside the application are not sent.
     */
    inScope: flag().notNull().default(true),
  },
  (table) => [
    foreignKey({
      columns: [table.orgCode, table.appId],
      foreignColumns: [provisioningTargets.orgCode, provisioningTargets.appId],
    }).onDelete('cascade'),
    uniqueIndex('provisioned_people_person').on(table.suid, table.appId, table.orgCode),
    uniqueIndex('provisioned_people_group')
      .on(table.groupId, table.appId, table.orgCode)
      .where(sql`${table.groupId} IS NOT NULL`),
    index('provisioned_people_status').on(table.appId, table.orgCode, table.status, table.groupId),
    index('provisioned_people_due').on(table.nextAttemptAt).where(sql`${table.nextAttemptAt} IS NOT NULL`),
  ],
);

/** A request that was sent, and its response. */
export interface ProvisioningRequest {
  method: string;
  /** Path below the service's URL. */
  path: string;
  /** JSON; '' if empty. */
  body: string;
  /** HTTP status; null without a response. */
  status: number | null;
  /** Start of the response body. */
  answer: string;
  /** Duration in milliseconds. */
  durationMs: number;
}

/** Deliveries for a person or a group; repeated attempts of the same delivery are one entry. */
export const provisioningLog = sqliteTable(
  'provisioning_log',
  {
    number: integer().primaryKey(),
    orgCode: text().notNull(),
    appId: text().notNull(),
    /** Null for a group. */
    suid: text().references(() => members.suid),
    /** Null for a person. */
    groupId: text(),
    /** Name of the group at that time; '' for a person. */
    groupName: text().notNull().default(''),
    /** Start of the last attempt. */
    at: time().notNull(),
    operation: text().$type<'create' | 'adopt' | 'update' | 'activate' | 'deactivate' | 'delete'>().notNull(),
    status: text().$type<'delivered' | 'failed' | 'waiting'>().notNull(),
    attempts: integer().notNull(),
    /** Error as a sentence; '' if delivered. */
    error: text().notNull(),
    /** Requests of the last attempt. */
    requests: json<ProvisioningRequest[]>().notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.orgCode, table.appId],
      foreignColumns: [provisioningTargets.orgCode, provisioningTargets.appId],
    }).onDelete('cascade'),
    index('provisioning_log_app').on(table.appId, table.orgCode, table.number),
    index('provisioning_log_person').on(table.suid),
    index('provisioning_log_time').on(table.at),
  ],
);
