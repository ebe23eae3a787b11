import { and, count, desc, eq, gt, lt, sql } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { decoySignUps } from '../schema/attempts.ts';

export type DecoySignUpRow = typeof decoySignUps.$inferSelect;

export function insertDecoySignUp(tx: Tx, decoy: Omit<DecoySignUpRow, 'wrongTries'>): void {
  tx.insert(decoySignUps).values(decoy).run();
}

/** How many codes would have gone to an address or number of the organisation since `since`. */
export function countDecoySignUps(tx: Tx, orgCode: string, to: string, since: number): number {
  const counted = tx
    .select({ decoys: count() })
    .from(decoySignUps)
    .where(and(eq(decoySignUps.to, to), eq(decoySignUps.orgCode, orgCode), gt(decoySignUps.issuedAt, since)))
    .get();
  return counted?.decoys ?? 0;
}

/** The last one of an address. */
export function findDecoySignUp(tx: Tx, orgCode: string, email: string): DecoySignUpRow | undefined {
  return tx
    .select()
    .from(decoySignUps)
    .where(and(eq(decoySignUps.email, email), eq(decoySignUps.orgCode, orgCode)))
    .orderBy(desc(decoySignUps.issuedAt), sql`rowid DESC`)
    .limit(1)
    .get();
}

/** Counts a code that was tried for one: false where a real one could not be tried any more. */
export function tryDecoySignUp(
  tx: Tx,
  id: string,
  { triesAllowed, now }: { triesAllowed: number; now: number },
): boolean {
  const tried = tx
    .update(decoySignUps)
    .set({ wrongTries: sql`${decoySignUps.wrongTries} + 1` })
    .where(and(eq(decoySignUps.id, id), gt(decoySignUps.expiresAt, now), lt(decoySignUps.wrongTries, triesAllowed)))
    .run();
  return tried.changes === 1;
}

/** Forgets those of every organisation that expired before `before`. */
export function pruneDecoySignUps(tx: Tx, before: number): void {
  tx.delete(decoySignUps).where(lt(decoySignUps.expiresAt, before)).run();
}
