import type { AuditAction, AuditActorKind, AuditObjectType, AuditValue } from '@orchestrate/shared';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { json, time } from './columns.ts';
import { organisations } from './organisations.ts';

/** One field of a change; `before` is absent for a created object, `after` for a deleted one. */
export interface AuditChange {
  field: string;
  before?: AuditValue;
  after?: AuditValue;
}

/**
 * A change and its actor: written with the change, never modified, and deleted only once it is older than
 * `audit_retention` allows. The triggers of `0003_trust_data.sql` enforce that.
 */
export const auditEvents = sqliteTable(
  'audit_events',
  {
    /** Ordered by time: milliseconds times 1 024, plus the number within that millisecond. */
    id: integer().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    at: time().notNull(),
    action: text().$type<AuditAction>().notNull(),
    actorKind: text().$type<AuditActorKind>().notNull(),
    actorSuid: text(),
    actorName: text().notNull(),
    /** Sign-in method of the actor. */
    actorMode: text().notNull(),
    actorSid: text(),
    ip: text().notNull(),
    objectType: text().$type<AuditObjectType>().notNull(),
    objectId: text().notNull(),
    objectName: text().notNull(),
    /** The member that the event is about. */
    suid: text(),
    changes: json<AuditChange[]>().notNull(),
    /** Search terms of the event in addition to its texts: see `repos/settings/audit.ts`. */
    marks: text().notNull(),
  },
  (table) => [index('audit_events_org').on(table.orgCode, table.id)],
);

/** While it has a row, events with a smaller id can be deleted. */
export const auditRetention = sqliteTable('audit_retention', {
  id: integer().primaryKey(),
  before: integer().notNull(),
});
