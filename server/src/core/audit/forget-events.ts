import { auditRepo } from '@orchestrate/db';
import { DAY } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { systemActor } from '#platform/http/callers/actors.ts';
import { record } from './record.ts';

/**
 * Deletes at most `batchSize` events older than `AUDIT_DAYS`, and records the count in each trail.
 * @returns the total number of deleted events
 */
export function forgetEvents(deps: Deps, batchSize: number): number {
  const { config, clock, db } = deps;
  if (config.auditDays === 0) return 0;
  const before = clock.now() - config.auditDays * DAY;
  return db.transaction((tx) => {
    const forgotten = auditRepo.pruneEvents(tx, before, batchSize);
    for (const [orgCode, events] of forgotten) {
      const object = { type: 'activity', id: orgCode, name: 'Activity' } as const;
      const after = { events, before: clock.iso(before) };
      record(deps, tx, systemActor(orgCode), { action: 'activity.forgotten', object, after });
    }
    return [...forgotten.values()].reduce((sum, events) => sum + events, 0);
  });
}
