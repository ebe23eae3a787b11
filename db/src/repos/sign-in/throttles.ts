import { and, eq, lt, sql } from '#drizzle';
import { cachedRead } from '../../cached-read.ts';
import type { Tx } from '../../database.ts';
import { type ThrottleKind, throttles } from '../../schema/attempts.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type ThrottleRow = typeof throttles.$inferSelect;

/** Identifies a failure budget by organisation, subject and kind of failure. */
export type ThrottleKey = Pick<ThrottleRow, 'orgCode' | 'subject'> & { kind: ThrottleKind };

/** Failures allowed in a burst (`capacity`), with one more allowed after each `everyMs`. */
export interface ThrottleLimit {
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

/** Finds a failure budget. Cached because every directory request reads it. */
export function findThrottle(tx: Tx, { orgCode, kind, subject }: ThrottleKey): ThrottleRow | undefined {
  return cachedBudget(tx, { orgCode, kind, subject }) ?? undefined;
}

/**
 * Returns the time at which the last failure is cleared, in milliseconds, or 0 if there are no failures. If that time
 * is further ahead than a full budget takes to clear, the clock was set back, so the budget is ignored.
 */
export function effectiveClearAt(tx: Tx, key: ThrottleKey, { capacity, everyMs }: ThrottleLimit, now: number): number {
  const { clearAt = 0 } = findThrottle(tx, key) ?? {};
  return clearAt > now + capacity * everyMs ? 0 : clearAt;
}

/**
 * Records a failure in a single statement if the budget allows it. Otherwise returns false and doesn't modify any
 * data. Implements the generic cell rate algorithm (ITU-T I.371), which represents the remaining budget as a single
 * time.
 */
export function recordFailure(tx: Tx, key: ThrottleKey, { capacity, everyMs }: ThrottleLimit, now: number): boolean {
  const full = now + capacity * everyMs;
  // Ignore a budget recorded before the clock was set back, like `effectiveClearAt`.
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

/** Updates a subject's budget after a success and trusts the subject until `trustedUntil`. */
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

/** Deletes failures and trust that ended before `before`, across all organisations. */
export function pruneThrottles(tx: Tx, before: number): void {
  tx.delete(throttles)
    .where(and(lt(throttles.clearAt, before), sql`coalesce(${throttles.trustedUntil}, 0) < ${before}`))
    .run();
}
