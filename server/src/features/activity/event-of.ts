import type { auditRepo } from '@orchestrate/db';
import type { AuditEvent } from '@orchestrate/shared';
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
    changes: row.changes.map(({ field, before, after }) => ({
      field,
      ...(before !== undefined && { before: onTheWire(before) }),
      ...(after !== undefined && { after: onTheWire(after) }),
    })),
  };
}

type Value = NonNullable<AuditEvent['changes'][number]['before']>;

const onTheWire = (value: auditRepo.AuditRow['changes'][number]['before']): Value | null =>
  typeof value === 'object' && value !== null ? [...value] : (value ?? null);
