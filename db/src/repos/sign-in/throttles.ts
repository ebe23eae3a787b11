import { and, eq, lt, sql } from 'drizzle-orm';
import { cachedRead } from '../../cached-read.ts';
import type { Tx } from '../../database.ts';
import { type ThrottleKind, throttles } from '../../schema/attempts.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type ThrottleRow = typeof throttles.$inferSelect;

/** Key of a budget: subject and kind of failure. */
export type ThrottleKey = Pick<ThrottleRow, 'orgCode' | 'subject'> & { kind: ThrottleKind };

/** Number of failures allowed in a burst; one more is allowed after each `everyMs`. */
export interface ThrottleSize {
  capacity: number;
  everyMs: number;
}

const ofSubject = drizzleStatement((db) =>
  db
    .select()
    .from(throttles)
    .where(
      and(
        eq(throttles.subject, sql.placeholder('subject')),
        eq(throttles.kind, sql.placeholder('kind')),
        eq(throttles.orgCode, sql.placeholder('orgCode')),
      ),
    )
    .prepare(),
);

const cachedBudget = cachedRead(
  ({ orgCode, kind, subject }: ThrottleKey) => `${orgCode} ${kind} ${subject}`,
  (db, key) => ofSubject(db).get(key) ?? null,
);

/** Finds a failure budget. Every request of a directory reads it. */
export function findThrottle(tx: Tx, { orgCode, kind, subject }: ThrottleKey): ThrottleRow | undefined {
  return cachedBudget(tx, { orgCode, kind, subject }) ?? undefined;
}

/**
 * Returns when the last failure is cleared, in milliseconds; 0 if there are no failures. A budget that seems more than
 * full was used before the clock was set back, and is ignored.
 */
export function clearAtOf(tx: Tx, key: ThrottleKey, { capacity, everyMs }: ThrottleSize, now: number): number {
  const { clearAt = 0 } = findThrottle(tx, key) ?? {};
  return clearAt > now + capacity * everyMs ? 0 : clearAt;
}

/**
 * Counts a failure in one statement if the budget allows it; otherwise returns false and changes nothing. The generic
 * cell rate algorithm (ITU-T I.371): a single time represents the remaining budget.
 */
export function recordFailure(tx: Tx, key: ThrottleKey, { capacity, everyMs }: ThrottleSize, now: number): boolean {
  const full = now + capacity * everyMs;
  // As in `clearAtOf`.
  const next = sql`iif(${throttles.clearAt} > ${full}, ${now}, max(${throttles.clearAt}, ${now})) + ${everyMs}`;
  const { orgCode, kind, subject } = key;
  const spent = tx
    .insert(throttles)
    .values({ orgCode, kind, subject, clearAt: now + everyMs })
    .onConflictDoUpdate({
      target: [throttles.subject, throttles.kind, throttles.orgCode],
      set: { clearAt: next },
      setWhere: sql`${next} <= ${full}`,
    })
    .run();
  return spent.changes === 1;
}

/** Updates the budget of a subject that has succeeded, and trusts it until `trustedUntil`. */
export function trustSubject(
  tx: Tx,
  key: ThrottleKey,
  { clearAt, trustedUntil }: { clearAt: number; trustedUntil: number },
): void {
  const { orgCode, kind, subject } = key;
  tx.insert(throttles)
    .values({ orgCode, kind, subject, clearAt, trustedUntil })
    .onConflictDoUpdate({
      target: [throttles.subject, throttles.kind, throttles.orgCode],
      set: { clearAt, trustedUntil },
    })
    .run();
}

/** Deletes failures and trust of all organisations that ended before `before`. */
export function pruneThrottles(tx: Tx, before: number): void {
  tx.delete(throttles)
    .where(and(lt(throttles.clearAt, before), sql`coalesce(${throttles.trustedUntil}, 0) < ${before}`))
    .run();
}
