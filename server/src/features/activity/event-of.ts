import type { auditRepo } from '@orchestrate/db';
import type { AuditEvent } from '@orchestrate/shared';
import { shownChanges } from '../../core/audit/shown-changes.ts';
import type { Caller } from '../../platform/http/callers/caller.ts';
import { isoOf } from '../../platform/iso-of.ts';

/**
 * An event as the API returns it. The addresses that others act from are shown only to those who look after security.
 */
export function eventOf(row: auditRepo.AuditRow, reader: Caller): AuditEvent {
  const seesAddress = row.actorSuid === reader.suid || reader.permissions.includes('SESSION_MANAGEMENT');
  return {
    id: String(row.id),
    at: isoOf(row.at),
    action: row.action,
    actor: {
      kind: row.actorKind,
      suid: row.actorSuid,
      name: row.actorName,
      mode: row.actorMode,
      ip: seesAddress ? row.ip : '',
    },
    object: { type: row.objectType, id: row.objectId, name: row.objectName },
    suid: row.suid,
    changes: shownChanges(row.changes),
  };
}
