import type { AuditAction, AuditActorKind, AuditObjectType, AuditValue } from '@orchestrate/shared';
import { index, integer, sqliteTable, text } from '#drizzle';
import { json, time } from './columns.ts';
import { organisations } from './organisations.ts';

/** One changed field. `before` is absent when the object is created, `after` when it is deleted. */
export interface AuditChange {
  field: string;
  before?: AuditValue;
  after?: AuditValue;
}

/**
 * A change and its actor, written in the same transaction as the change. Rows are never modified and are deleted only
 * once they are older than `audit_retention` allows. The triggers in `0003_trust_data.sql` enforce this.
 */
export const auditEvents = sqliteTable(
  'audit_events',
  {
    /** Sorts by time: milliseconds times 1,024, plus a sequence number within the millisecond. */
    id: integer().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    at: time().notNull(),
    action: text().$type<AuditAction>().notNull(),
    actorKind: text().$type<AuditActorKind>().notNull(),
    actorSuid: text(),
    actorName: text().notNull(),
    /** The actor's sign-in method. */
    actorMode: text().notNull(),
    actorSid: text(),
    ip: text().notNull(),
    objectType: text().$type<AuditObjectType>().notNull(),
    objectId: text().notNull(),
    objectName: text().notNull(),
    /** The member that the event is about. */
    suid: text(),
    changes: json<AuditChange[]>().notNull(),
    /** Additional search terms for the event (see `repos/settings/audit.ts`). */
    marks: text().notNull(),
  },
  (table) => [index('audit_events_org').on(table.orgCode, table.id)],
);

/** Each row permits deleting audit events with an ID below `before`. */
export const auditRetention = sqliteTable('audit_retention', {
  id: integer().primaryKey(),
  before: integer().notNull(),
});
