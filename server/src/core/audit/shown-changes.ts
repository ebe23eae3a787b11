import type { auditRepo } from '@orchestrate/db';
import type { AuditEvent } from '@orchestrate/shared';

type Recorded = auditRepo.AuditRow['changes'];
type Value = NonNullable<AuditEvent['changes'][number]['before']>;

/** The changes of an event as the API returns them. */
export const shownChanges = (changes: Recorded): AuditEvent['changes'] =>
  changes.map(({ field, before, after }) => ({
    field,
    ...(before !== undefined && { before: onTheWire(before) }),
    ...(after !== undefined && { after: onTheWire(after) }),
  }));

const onTheWire = (value: Recorded[number]['before']): Value | null =>
  typeof value === 'object' && value !== null ? [...value] : (value ?? null);
