import { auditRepo, openDatabase } from '@orchestrate/db';
import { AUDIT_ACTIONS, type AuditAction, SECOND } from '@orchestrate/shared';

/** Number of distinct events; all others repeat them at other times. */
const PATTERN = 1_000;
/** Time between two events, in milliseconds. */
export const STEP_MS = 7 * SECOND;

const ACTORS = 40;
const OBJECTS = 333;

/** An actor, an object and an action with a fixed share of the events, whatever the total. */
export const ONE_ACTOR = 'bench-actor-7';
export const ONE_OBJECT = { objectType: 'member', objectId: 'bench-object-11' } as const;
export const ONE_ACTION = 'member.updated' satisfies AuditAction;
/** The actor never performs this action: each filter finds many events, both together find none. */
export const NEVER_TOGETHER = { actor: 'bench-actor-8', action: 'member.deleted' } as const;
/** An actor of five events, whatever the total. */
export const RARE_ACTOR = 'bench-actor-rare';
const RARE_EVENTS = 5;

/**
 * Adds `total` events of acme to a portal's database, which no other process may have open.
 * @param now time of the last event, in milliseconds
 */
export function fillEvents(file: string, total: number, now: number): void {
  const { db, raw, close } = openDatabase({ file });
  db.transaction((tx) => {
    for (let number = 0; number < PATTERN; number += 1) auditRepo.insertEvent(tx, eventOf(number, now));
  });
  const columns = raw
    .prepare<[], string>(`SELECT name FROM pragma_table_info('audit_events') WHERE name NOT IN ('id', 'at')`)
    .pluck()
    .all()
    .join(', ');
  // Oldest first, because the search index is fastest with ascending ids.
  raw
    .prepare<{ copies: number; span: number }>(
      `WITH RECURSIVE copies(number) AS (
         SELECT @copies WHERE @copies > 0 UNION ALL SELECT number - 1 FROM copies WHERE number > 1
       )
       INSERT INTO audit_events (id, at, ${columns})
       SELECT id - number * @span * 1024, at - number * @span, ${columns} FROM copies CROSS JOIN audit_events`,
    )
    .run({ copies: total / PATTERN - 1, span: PATTERN * STEP_MS });
  db.transaction((tx) => {
    for (let number = 0; number < RARE_EVENTS; number += 1) {
      const at = now - Math.floor((number * total) / RARE_EVENTS) * STEP_MS;
      auditRepo.insertEvent(tx, { ...eventOf(number, now), at, actorSuid: RARE_ACTOR });
    }
  });
  raw.exec('ANALYZE');
  close();
}

function eventOf(number: number, now: number): Omit<auditRepo.AuditRow, 'id'> {
  const actor = number % ACTORS;
  const object = number % OBJECTS;
  const isAlone = actor === 8;
  const action: AuditAction = isAlone
    ? 'member.paused'
    : number % 3 === 0
      ? NEVER_TOGETHER.action
      : number % 3 === 1
        ? ONE_ACTION
        : (AUDIT_ACTIONS[number % AUDIT_ACTIONS.length] ?? ONE_ACTION);
  return {
    orgCode: 'acme',
    at: now - (PATTERN - number) * STEP_MS,
    action,
    actorKind: 'member',
    actorSuid: `bench-actor-${actor}`,
    actorName: `Actor Number ${actor}`,
    actorMode: 'QID',
    actorSid: 'bench-session',
    ip: `192.0.2.${actor}`,
    objectType: 'member',
    objectId: `bench-object-${object}`,
    objectName: `Person Called ${object}`,
    suid: `bench-object-${object}`,
    changes: [{ field: 'firstName', before: 'Before', after: 'After' }],
  };
}
