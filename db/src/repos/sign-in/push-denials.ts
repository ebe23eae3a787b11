import { and, eq, lt, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { pushDenials } from '../../schema/attempts.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type PushDenialRow = typeof pushDenials.$inferSelect;

const ofPerson = drizzleStatement((db) =>
  db
    .select()
    .from(pushDenials)
    .where(and(eq(pushDenials.suid, sql.placeholder('suid')), eq(pushDenials.orgCode, sql.placeholder('orgCode'))))
    .prepare(),
);

/** Finds how many pushes a member has denied since their last approval. */
export function findPushDenials(tx: Tx, orgCode: string, suid: string): PushDenialRow | undefined {
  return ofPerson(tx).get({ suid, orgCode });
}

/** A denied push: where it came from, and the minimum denial count to record for it. */
export interface PushDenial {
  orgCode: string;
  suid: string;
  network: string;
  browser: string | null;
  atLeast: number;
  now: number;
}

/** Counts a denied push. Starts over if the previous denial was before `forgottenBefore`. */
export function countPushDenial(
  tx: Tx,
  { orgCode, suid, network, browser, atLeast, now }: PushDenial,
  forgottenBefore: number,
): void {
  const isForgotten = sql`${pushDenials.lastDeniedAt} <= ${forgottenBefore}`;
  const again = sql`CASE WHEN ${isForgotten} THEN ${atLeast} ELSE max(${pushDenials.denials} + 1, ${atLeast}) END`;
  tx.insert(pushDenials)
    .values({ orgCode, suid, denials: atLeast, lastDeniedAt: now, network, browser })
    .onConflictDoUpdate({ target: pushDenials.suid, set: { denials: again, lastDeniedAt: now, network, browser } })
    .run();
}

const clearing = drizzleStatement((db) =>
  db
    .delete(pushDenials)
    .where(and(eq(pushDenials.suid, sql.placeholder('suid')), eq(pushDenials.orgCode, sql.placeholder('orgCode'))))
    .prepare(),
);

/** Deletes the denials of a member who has approved a sign-in. */
export function clearPushDenials(tx: Tx, orgCode: string, suid: string): void {
  clearing(tx).run({ orgCode, suid });
}

/** Deletes denial counts whose latest denial was before `before`, across all organisations. */
export function prunePushDenials(tx: Tx, before: number): void {
  tx.delete(pushDenials).where(lt(pushDenials.lastDeniedAt, before)).run();
}
