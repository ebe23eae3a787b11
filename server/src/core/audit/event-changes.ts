import type { auditRepo } from '@orchestrate/db';
import type { AuditEvent } from '@orchestrate/shared';

type Recorded = auditRepo.AuditRow['changes'];
type Value = NonNullable<AuditEvent['changes'][number]['before']>;

/** Returns an event's changes in the API format. */
export const eventChangesOf = (changes: Recorded): AuditEvent['changes'] =>
  changes.map(({ field, before, after }) => ({
    field,
    ...(before !== undefined && { before: shownValue(before) }),
    ...(after !== undefined && { after: shownValue(after) }),
  }));

const shownValue = (value: Recorded[number]['before']): Value | null =>
  typeof value === 'object' && value !== null ? [...value] : (value ?? null);
