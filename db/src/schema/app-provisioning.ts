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
    /** Where `/Users` begins, without a slash at its end. Its path can contain a token. */
    url: sealed().notNull(),
    authentication: text().$type<'bearer' | 'basic'>().notNull(),
    /** For `basic`. */
    username: text().notNull().default(''),
    /** The token or the password. */
    secret: sealed().notNull(),
    enabled: flag().notNull(),
    /** How a change is written. */
    changesBy: text().$type<'put' | 'patch'>().notNull(),
    /** What becomes of people who may no longer use the application. */
    withoutAccess: text().$type<'deactivate' | 'delete'>().notNull(),
    createdAt: time().notNull(),
    /** How often in a row the service could not be asked, or was too busy. */
    failures: integer().notNull().default(0),
    /** Nobody is sent before; null where nothing holds it up. */
    pausedUntil: time(),
    /** When the portal stopped sending by itself; null where it has not. */
    stoppedAt: time(),
    /** Why, in a sentence. */
    stopReason: text().notNull().default(''),
    /** Whether people's managers are sent, by the service's ids of them. */
    sendManagers: flag().notNull().default(false),
    sendRoles: flag().notNull().default(false),
    /** Attributes of registered schemas that are sent, with their URN before the last colon. */
    sendAttributes: json<string[]>().notNull().default([]),
    sendGroups: flag().notNull().default(false),
    /** While everybody is being marked: the `id` of the last member marked; null where that is done. */
    markedUpTo: integer(),
    /** Whether those who are being marked are sent, changed or not. */
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
 * A person or a group at a service: what it has of them, and when it is told the rest. One row for each, so that
 * changes of one cannot overtake each other, and several that wait become one.
 */
export const provisionedPeople = sqliteTable(
  'provisioned_people',
  {
    number: integer().primaryKey(),
    orgCode: text().notNull(),
    appId: text().notNull(),
    /** Null for a group. */
    suid: text().references(() => members.suid),
    /** Null for a person. The group itself may be gone: then the service is told. */
    groupId: text(),
    /** The service's own id; null where it has none, or not yet. */
    remoteId: text(),
    /** The resource that the service accepted last, as JSON; null where that is not known. */
    sent: text(),
    status: text().$type<'waiting' | 'current' | 'failed'>().notNull().default('waiting'),
    /** Rises with every change: one that comes while an older one is on its way is sent after it. */
    mark: integer().notNull().default(0),
    /** Since the last success or change. */
    attempts: integer().notNull().default(0),
    /** When it is due; null where nothing is to be sent. */
    nextAttemptAt: time(),
    /** While it is on its way: until when nobody else takes it. */
    leasedUntil: time(),
    /** The entry of the log that the next attempt continues. */
    logNumber: integer(),
    /**
     * Whether the person might use the application when the service accepted them last: others are told of nobody else.
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

/** A request that was sent, and what came back. */
export interface ProvisioningRequest {
  method: string;
  /** Below the service's address. */
  path: string;
  /** JSON; '' where there was none. */
  body: string;
  /** HTTP status; null where nothing came back. */
  status: number | null;
  /** The beginning of the answer. */
  answer: string;
  /** Milliseconds. */
  durationMs: number;
}

/** What was sent for a person or a group; repeated attempts at the same are one entry. */
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
    /** That of the group then; '' for a person. */
    groupName: text().notNull().default(''),
    /** When the last attempt began. */
    at: time().notNull(),
    operation: text().$type<'create' | 'adopt' | 'update' | 'activate' | 'deactivate' | 'delete'>().notNull(),
    status: text().$type<'delivered' | 'failed' | 'waiting'>().notNull(),
    attempts: integer().notNull(),
    /** In a sentence; '' where it was delivered. */
    error: text().notNull(),
    /** Those of the last attempt. */
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
