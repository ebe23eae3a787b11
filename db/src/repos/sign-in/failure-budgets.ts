import { and, eq, lt, sql } from 'drizzle-orm';
import { cachedRead } from '../../cached-read.ts';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import { type BudgetKind, failureBudgets } from '../../schema/attempts.ts';

export type FailureBudgetRow = typeof failureBudgets.$inferSelect;

/** Key of a budget: subject and kind of failure. */
export type BudgetKey = Pick<FailureBudgetRow, 'orgCode' | 'subject'> & { kind: BudgetKind };

/** Number of failures allowed in a burst; one more is allowed after each `everyMs`. */
export interface BudgetSize {
  capacity: number;
  everyMs: number;
}

const ofSubject = drizzleStatement((db) =>
  db
    .select()
    .from(failureBudgets)
    .where(
      and(
        eq(failureBudgets.subject, sql.placeholder('subject')),
        eq(failureBudgets.kind, sql.placeholder('kind')),
        eq(failureBudgets.orgCode, sql.placeholder('orgCode')),
      ),
    )
    .prepare(),
);

const cachedBudget = cachedRead(
  ({ orgCode, kind, subject }: BudgetKey) => `${orgCode} ${kind} ${subject}`,
  (db, key) => ofSubject(db).get(key) ?? null,
);

/** Finds a failure budget. Every request of a directory reads it. */
export function findFailureBudget(tx: Tx, { orgCode, kind, subject }: BudgetKey): FailureBudgetRow | undefined {
  return cachedBudget(tx, { orgCode, kind, subject }) ?? undefined;
}

/**
 * Returns when the last failure is cleared, in milliseconds; 0 if there are no failures. A budget that seems more than
 * full was used before the clock was set back, and is ignored.
 */
export function clearAtOf(tx: Tx, key: BudgetKey, { capacity, everyMs }: BudgetSize, now: number): number {
  const { clearAt = 0 } = findFailureBudget(tx, key) ?? {};
  return clearAt > now + capacity * everyMs ? 0 : clearAt;
}

/**
 * Counts a failure in one statement if the budget allows it; otherwise returns false and changes nothing. The generic
 * cell rate algorithm (ITU-T I.371): a single time represents the remaining budget.
 */
export function spendFailure(tx: Tx, key: BudgetKey, { capacity, everyMs }: BudgetSize, now: number): boolean {
  const full = now + capacity * everyMs;
  // As in `clearAtOf`.
  const next = sql`iif(${failureBudgets.clearAt} > ${full}, ${now}, max(${failureBudgets.clearAt}, ${now})) + ${everyMs}`;
  const { orgCode, kind, subject } = key;
  const spent = tx
    .insert(failureBudgets)
    .values({ orgCode, kind, subject, clearAt: now + everyMs })
    .onConflictDoUpdate({
      target: [failureBudgets.subject, failureBudgets.kind, failureBudgets.orgCode],
      set: { clearAt: next },
      setWhere: sql`${next} <= ${full}`,
    })
    .run();
  return spent.changes === 1;
}

/** Updates the budget of a subject that has succeeded, and trusts it until `trustedUntil`. */
export function trust(
  tx: Tx,
  key: BudgetKey,
  { clearAt, trustedUntil }: { clearAt: number; trustedUntil: number },
): void {
  const { orgCode, kind, subject } = key;
  tx.insert(failureBudgets)
    .values({ orgCode, kind, subject, clearAt, trustedUntil })
    .onConflictDoUpdate({
      target: [failureBudgets.subject, failureBudgets.kind, failureBudgets.orgCode],
      set: { clearAt, trustedUntil },
    })
    .run();
}

/** Deletes failures and trust of all organisations that ended before `before`. */
export function pruneFailureBudgets(tx: Tx, before: number): void {
  tx.delete(failureBudgets)
    .where(and(lt(failureBudgets.clearAt, before), sql`coalesce(${failureBudgets.trustedUntil}, 0) < ${before}`))
    .run();
}
