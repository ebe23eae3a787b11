import { and, eq, lt, sql } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { type BudgetKind, failureBudgets } from '../schema/attempts.ts';

export type FailureBudgetRow = typeof failureBudgets.$inferSelect;

/** Whose failures, at what. */
export type BudgetKey = Pick<FailureBudgetRow, 'orgCode' | 'subject'> & { kind: BudgetKind };

/** So many failures at once, and one more after each `everyMs`. */
export interface BudgetSize {
  capacity: number;
  everyMs: number;
}

const isOf = ({ orgCode, kind, subject }: BudgetKey) =>
  and(eq(failureBudgets.subject, subject), eq(failureBudgets.kind, kind), eq(failureBudgets.orgCode, orgCode));

export function findFailureBudget(tx: Tx, key: BudgetKey): FailureBudgetRow | undefined {
  return tx.select().from(failureBudgets).where(isOf(key)).get();
}

/**
 * Counts a failure, in one statement, where there is room for one; false where there is none, and then nothing changes.
 * The generic cell rate algorithm (ITU-T I.371): one time says how much is left.
 */
export function spendFailure(tx: Tx, key: BudgetKey, { capacity, everyMs }: BudgetSize, now: number): boolean {
  const next = sql`max(${failureBudgets.clearAt}, ${now}) + ${everyMs}`;
  const { orgCode, kind, subject } = key;
  const spent = tx
    .insert(failureBudgets)
    .values({ orgCode, kind, subject, clearAt: now + everyMs })
    .onConflictDoUpdate({
      target: [failureBudgets.subject, failureBudgets.kind, failureBudgets.orgCode],
      set: { clearAt: next },
      setWhere: sql`${next} <= ${now + capacity * everyMs}`,
    })
    .run();
  return spent.changes === 1;
}

/** Sets what is left of a subject's failures, which has succeeded and is known for it until `trustedUntil`. */
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

/** Forgets what is over since `before`, of every organisation. */
export function pruneFailureBudgets(tx: Tx, before: number): void {
  tx.delete(failureBudgets)
    .where(and(lt(failureBudgets.clearAt, before), sql`coalesce(${failureBudgets.trustedUntil}, 0) < ${before}`))
    .run();
}
