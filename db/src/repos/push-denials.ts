import { and, eq, lt, sql } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { prepared } from '../prepared.ts';
import { pushDenials } from '../schema/attempts.ts';

export type PushDenialRow = typeof pushDenials.$inferSelect;

export function findPushDenials(tx: Tx, orgCode: string, suid: string): PushDenialRow | undefined {
  return tx
    .select()
    .from(pushDenials)
    .where(and(eq(pushDenials.suid, suid), eq(pushDenials.orgCode, orgCode)))
    .get();
}

/** Counts a denied push; the first again where the last was before `forgottenBefore`. */
export function countPushDenial(
  tx: Tx,
  { orgCode, suid, network, now }: { orgCode: string; suid: string; network: string; now: number },
  forgottenBefore: number,
): void {
  const again = sql`CASE WHEN ${pushDenials.lastDeniedAt} <= ${forgottenBefore} THEN 1 ELSE ${pushDenials.denials} + 1 END`;
  tx.insert(pushDenials)
    .values({ orgCode, suid, denials: 1, lastDeniedAt: now, network })
    .onConflictDoUpdate({ target: pushDenials.suid, set: { denials: again, lastDeniedAt: now, network } })
    .run();
}

const clearing = prepared((db) =>
  db
    .delete(pushDenials)
    .where(and(eq(pushDenials.suid, sql.placeholder('suid')), eq(pushDenials.orgCode, sql.placeholder('orgCode'))))
    .prepare(),
);

/** Forgets the denials of a person who has approved a sign-in. */
export function clearPushDenials(tx: Tx, orgCode: string, suid: string): void {
  clearing(tx).run({ orgCode, suid });
}

/** Forgets those of every organisation whose last is from before `before`. */
export function prunePushDenials(tx: Tx, before: number): void {
  tx.delete(pushDenials).where(lt(pushDenials.lastDeniedAt, before)).run();
}
