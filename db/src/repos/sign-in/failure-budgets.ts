import { and, eq, lt, sql } from 'drizzle-orm';
import { cachedRead } from '../../cached-read.ts';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import { type BudgetKind, failureBudgets } from '../../schema/attempts.ts';

export type FailureBudgetRow = typeof failureBudgets.$inferSelect;

/** Whose failures, and at what. */
export type BudgetKey = Pick<FailureBudgetRow, 'orgCode' | 'subject'> & { kind: BudgetKind };

/** How many failures are allowed at once; one more is allowed after each `everyMs`. */
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

const remembering = cachedRead(
  ({ orgCode, kind, subject }: BudgetKey) => `${orgCode} ${kind} ${subject}`,
  (db, key) => ofSubject(db).get(key) ?? null,
);

/** Read with every request of a directory. @returns undefined where no failure is counted. */
export function findFailureBudget(tx: Tx, { orgCode, kind, subject }: BudgetKey): FailureBudgetRow | undefined {
  return remembering(tx, { orgCode, kind, subject }) ?? undefined;
}

/**
 * When the last failure is forgotten, in milliseconds; 0 where none is counted. No budget is more than full: one that
 * seems to be was used before the clock was set back, and counts no longer.
 */
export function clearAtOf(tx: Tx, key: BudgetKey, { capacity, everyMs }: BudgetSize, now: number): number {
  const { clearAt = 0 } = findFailureBudget(tx, key) ?? {};
  return clearAt > now + capacity * everyMs ? 0 : clearAt;
}

/**
 * Counts a failure in one statement if the budget has room; otherwise returns false and changes nothing. The generic
 * cell rate algorithm (ITU-T I.371): a single time says how much is left.
 */
export function spendFailure(tx: Tx, key: BudgetKey, { capacity, everyMs }: BudgetSize, now: number): boolean {
  const full = now + capacity * everyMs;
  // As `clearAtOf`.
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

/** Sets what is left of the budget of a subject that has succeeded, and which is trusted until `trustedUntil`. */
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

/** Deletes what has been over since before `before`, failures and trust, of every organisation. */
export function pruneFailureBudgets(tx: Tx, before: number): void {
  tx.delete(failureBudgets)
    .where(and(lt(failureBudgets.clearAt, before), sql`coalesce(${failureBudgets.trustedUntil}, 0) < ${before}`))
    .run();
}
