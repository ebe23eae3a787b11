import { foreignKey, index, integer, primaryKey, sql, sqliteTable, text, uniqueIndex } from '#drizzle';
import { applications } from './applications.ts';
import { flag, json, sealed, time } from './columns.ts';
import { members } from './members.ts';

/** An application's SCIM service, which receives its members and groups (decision 183). */
export const provisioningTargets = sqliteTable(
  'provisioning_targets',
  {
    orgCode: text().notNull(),
    appId: text().notNull(),
    /** Base URL to which `/Users` is appended, without a trailing slash. Its path can contain a token. */
    url: sealed().notNull(),
    authentication: text().$type<'bearer' | 'basic'>().notNull(),
    /** User name for `basic` authentication; otherwise empty. */
    username: text().notNull().default(''),
    /** Token or password. */
    secret: sealed().notNull(),
    enabled: flag().notNull(),
    /** HTTP method for updates. */
    changesBy: text().$type<'put' | 'patch'>().notNull(),
    /** What to do with members who can no longer use the application. */
    withoutAccess: text().$type<'deactivate' | 'delete'>().notNull(),
    createdAt: time().notNull(),
    /** Consecutive attempts that failed because the service was unreachable or too busy. */
    failures: integer().notNull().default(0),
    /** Nothing is sent before this time; null if not paused. */
    pausedUntil: time(),
    /** Time at which the portal stopped sending automatically; null while active. */
    stoppedAt: time(),
    /** Reason for stopping, as a sentence. */
    stopReason: text().notNull().default(''),
    /** True to send each member's manager, using the service's own IDs. */
    sendManagers: flag().notNull().default(false),
    sendRoles: flag().notNull().default(false),
    /** Attributes of registered schemas to send, each as the URN, a colon and the attribute name. */
    sendAttributes: json<string[]>().notNull().default([]),
    sendGroups: flag().notNull().default(false),
    /** The `id` of the last member marked for sending; null once all are marked. */
    markedUpTo: integer(),
    /** True to send every marked member, whether or not anything changed. */
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
 * State of a member or group at the service: the data already sent, and when to send the next change. A single row
 * per member or group keeps changes in order and combines pending ones.
 */
export const provisionedResources = sqliteTable(
  'provisioned_people',
  {
    number: integer().primaryKey(),
    orgCode: text().notNull(),
    appId: text().notNull(),
    /** Null for a group. */
    suid: text().references(() => members.suid),
    /** Null for a member. A deleted group keeps its row until the service has been notified. */
    groupId: text(),
    /** The service's ID for the resource; null until the service assigns one. */
    remoteId: text(),
    /** The resource the service last accepted, as JSON; null if unknown. */
    sent: text(),
    status: text().$type<'waiting' | 'current' | 'failed'>().notNull().default('waiting'),
    /** Incremented with every change, to detect changes made during a running attempt and send them afterwards. */
    mark: integer().notNull().default(0),
    /** Attempts since the last success or change. */
    attempts: integer().notNull().default(0),
    /** Time of the next attempt; null if there is nothing to send. */
    nextAttemptAt: time(),
    /** Expiry of the lease that prevents concurrent attempts. */
    leasedUntil: time(),
    /** The log entry that the next attempt continues. */
    logNumber: integer(),
    /**
     * True if the member could use the application when the service last accepted them. Managers and group members
     * who can't use the application are not sent.
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

/** A request sent to the service, and its response. */
export interface ProvisioningRequest {
  method: string;
  /** Path relative to the service's URL. */
  path: string;
  /** JSON, or empty. */
  body: string;
  /** HTTP status; null if there was no response. */
  status: number | null;
  /** Start of the response body. */
  answer: string;
  durationMs: number;
}

/** Deliveries of members and groups. Repeated attempts at a delivery share one entry. */
export const provisioningLog = sqliteTable(
  'provisioning_log',
  {
    number: integer().primaryKey(),
    orgCode: text().notNull(),
    appId: text().notNull(),
    /** Null for a group. */
    suid: text().references(() => members.suid),
    /** Null for a member. */
    groupId: text(),
    /** Name of the group at the time of the delivery; empty for a member. */
    groupName: text().notNull().default(''),
    /** Start of the last attempt. */
    at: time().notNull(),
    operation: text().$type<'create' | 'adopt' | 'update' | 'activate' | 'deactivate' | 'delete'>().notNull(),
    status: text().$type<'delivered' | 'failed' | 'waiting'>().notNull(),
    attempts: integer().notNull(),
    /** Error as a sentence; empty if delivered. */
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
