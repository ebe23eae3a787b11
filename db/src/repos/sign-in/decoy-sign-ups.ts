import { and, count, desc, eq, gt, isNull, lt, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { decoySignUps } from '../../schema/attempts.ts';

export type DecoySignUpRow = typeof decoySignUps.$inferSelect;

/** Adds a decoy sign-up for an address that is already taken. */
export function insertDecoySignUp(tx: Tx, decoy: Omit<DecoySignUpRow, 'wrongTries' | 'usedAt'>): void {
  tx.insert(decoySignUps).values(decoy).run();
}

/** Counts decoy sign-ups since `since`, for an email or for the address or phone number that receives codes. */
export function countDecoySignUps(
  tx: Tx,
  orgCode: string,
  of: { email: string } | { to: string },
  since: number,
): number {
  const isMeant = 'email' in of ? eq(decoySignUps.email, of.email) : eq(decoySignUps.to, of.to);
  const counted = tx
    .select({ decoys: count() })
    .from(decoySignUps)
    .where(and(isMeant, eq(decoySignUps.orgCode, orgCode), gt(decoySignUps.issuedAt, since)))
    .get();
  return counted?.decoys ?? 0;
}

/** Finds the latest decoy sign-up for an email. */
export function findDecoySignUp(tx: Tx, orgCode: string, email: string): DecoySignUpRow | undefined {
  return tx
    .select()
    .from(decoySignUps)
    .where(and(eq(decoySignUps.email, email), eq(decoySignUps.orgCode, orgCode)))
    .orderBy(desc(decoySignUps.issuedAt), sql`rowid DESC`)
    .limit(1)
    .get();
}

/** Checks a code for a decoy, like `checkOneTimeCode` for a real sign-up. */
export function checkDecoySignUp(
  tx: Tx,
  { id, hash }: Pick<DecoySignUpRow, 'id' | 'hash'>,
  { triesAllowed, now }: { triesAllowed: number; now: number },
): 'right' | 'wrong' | undefined {
  const tried = tx
    .update(decoySignUps)
    .set({
      usedAt: sql`CASE WHEN ${decoySignUps.hash} = ${hash} THEN ${now} END`,
      wrongTries: sql`${decoySignUps.wrongTries} + (${decoySignUps.hash} <> ${hash})`,
    })
    .where(
      and(
        eq(decoySignUps.id, id),
        isNull(decoySignUps.usedAt),
        gt(decoySignUps.expiresAt, now),
        lt(decoySignUps.wrongTries, triesAllowed),
      ),
    )
    .returning({ usedAt: decoySignUps.usedAt })
    .get();
  if (!tried) return undefined;
  return tried.usedAt === null ? 'wrong' : 'right';
}

/** Deletes decoys that expired before `before`, across all organisations. */
export function pruneDecoySignUps(tx: Tx, before: number): void {
  tx.delete(decoySignUps).where(lt(decoySignUps.expiresAt, before)).run();
}
