import { and, eq, lt, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import { pushDenials } from '../../schema/attempts.ts';

export type PushDenialRow = typeof pushDenials.$inferSelect;

const ofPerson = drizzleStatement((db) =>
  db
    .select()
    .from(pushDenials)
    .where(and(eq(pushDenials.suid, sql.placeholder('suid')), eq(pushDenials.orgCode, sql.placeholder('orgCode'))))
    .prepare(),
);

/** @returns undefined where the person has denied none since approving the last one. */
export function findPushDenials(tx: Tx, orgCode: string, suid: string): PushDenialRow | undefined {
  return ofPerson(tx).get({ suid, orgCode });
}

/** A denied push: where it came from, and the minimum number of denials in a row it counts as. */
export interface PushDenial {
  orgCode: string;
  suid: string;
  network: string;
  browser: string | null;
  atLeast: number;
  now: number;
}

/** Counts a denied push; starts again at the first where the last was before `forgottenBefore`. */
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

/** Forgets the denials of a person who has approved a sign-in. */
export function clearPushDenials(tx: Tx, orgCode: string, suid: string): void {
  clearing(tx).run({ orgCode, suid });
}

/** Deletes those of every organisation whose last denial was before `before`. */
export function prunePushDenials(tx: Tx, before: number): void {
  tx.delete(pushDenials).where(lt(pushDenials.lastDeniedAt, before)).run();
}
