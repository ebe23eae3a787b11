import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { oneTimeCodes } from '../../schema/joining.ts';
import { sealIn } from '../../sealed-columns.ts';
import { forgetSecrets } from '../settings/outbox.ts';

export type OneTimeCodeRow = typeof oneTimeCodes.$inferSelect;
/** A new code, whose `hash` is not sealed yet. */
export type NewOneTimeCode = Omit<OneTimeCodeRow, 'hash' | 'wrongTries' | 'usedAt'> & { hash: string };

const COLUMN = 'one_time_codes.hash';

/** Issues a one-time code; earlier ones stop working. */
export function insertOneTimeCode(tx: Tx, code: NewOneTimeCode): void {
  forgetSecrets(tx, [code.suid], 'one-time');
  tx.insert(oneTimeCodes)
    .values({ ...code, hash: sealIn(tx, COLUMN, code.id, code.hash) })
    .run();
}

/** Counts the codes sent to an address or number of the organisation since `since`. */
export function countOneTimeCodes(tx: Tx, orgCode: string, to: string, since: number): number {
  const counted = tx
    .select({ codes: sql<number>`count(*)` })
    .from(oneTimeCodes)
    .where(and(eq(oneTimeCodes.to, to), eq(oneTimeCodes.orgCode, orgCode), gt(oneTimeCodes.issuedAt, since)))
    .get();
  return counted?.codes ?? 0;
}

/** Counts the codes sent to a member since `since`, to any address. */
export function countOneTimeCodesOf(tx: Tx, orgCode: string, suid: string, since: number): number {
  const counted = tx
    .select({ codes: sql<number>`count(*)` })
    .from(oneTimeCodes)
    .where(and(eq(oneTimeCodes.suid, suid), eq(oneTimeCodes.orgCode, orgCode), gt(oneTimeCodes.issuedAt, since)))
    .get();
  return counted?.codes ?? 0;
}

/** Finds the latest code of a member. */
export function findOneTimeCode(tx: Tx, orgCode: string, suid: string): OneTimeCodeRow | undefined {
  return tx
    .select()
    .from(oneTimeCodes)
    .where(and(eq(oneTimeCodes.suid, suid), eq(oneTimeCodes.orgCode, orgCode)))
    .orderBy(desc(oneTimeCodes.issuedAt), sql`rowid DESC`)
    .limit(1)
    .get();
}

/**
 * Checks a code: the right one is used up and a wrong one is counted, in one statement.
 * @returns undefined if it cannot be checked: used, expired, or locked after `triesAllowed` wrong attempts.
 */
export function checkOneTimeCode(
  tx: Tx,
  { id, hash }: Pick<NewOneTimeCode, 'id' | 'hash'>,
  { triesAllowed, now }: { triesAllowed: number; now: number },
): 'right' | 'wrong' | undefined {
  // Equal texts in one row and column have equal seals.
  const sealed = sealIn(tx, COLUMN, id, hash);
  const tried = tx
    .update(oneTimeCodes)
    .set({
      usedAt: sql`CASE WHEN ${oneTimeCodes.hash} = ${sealed} THEN ${now} END`,
      wrongTries: sql`${oneTimeCodes.wrongTries} + (${oneTimeCodes.hash} <> ${sealed})`,
    })
    .where(
      and(
        eq(oneTimeCodes.id, id),
        isNull(oneTimeCodes.usedAt),
        gt(oneTimeCodes.expiresAt, now),
        lt(oneTimeCodes.wrongTries, triesAllowed),
      ),
    )
    .returning({ usedAt: oneTimeCodes.usedAt, suid: oneTimeCodes.suid })
    .get();
  if (!tried) return undefined;
  if (tried.usedAt === null) return 'wrong';
  forgetSecrets(tx, [tried.suid], 'one-time');
  return 'right';
}

/** Deletes codes that expired before `before`. */
export function pruneOneTimeCodes(tx: Tx, before: number): void {
  tx.delete(oneTimeCodes).where(lt(oneTimeCodes.expiresAt, before)).run();
}
