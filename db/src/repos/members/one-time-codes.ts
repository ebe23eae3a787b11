import { and, desc, eq, gt, isNull, lt, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { oneTimeCodes } from '../../schema/joining.ts';
import { sealValue } from '../../sealed-columns.ts';
import { forgetSecrets } from '../settings/outbox.ts';

export type OneTimeCodeRow = typeof oneTimeCodes.$inferSelect;
/** A new code whose `hash` is not sealed yet. */
export type NewOneTimeCode = Omit<OneTimeCodeRow, 'hash' | 'wrongTries' | 'usedAt'> & { hash: string };

const COLUMN = 'one_time_codes.hash';

/** Issues a one-time code and invalidates earlier codes. */
export function insertOneTimeCode(tx: Tx, code: NewOneTimeCode): void {
  forgetSecrets(tx, [code.suid], 'one-time');
  tx.insert(oneTimeCodes)
    .values({ ...code, hash: sealValue(tx, COLUMN, code.id, code.hash) })
    .run();
}

/** Counts the codes sent to an address or phone number in the organisation since `since`. */
export function countOneTimeCodes(tx: Tx, orgCode: string, to: string, since: number): number {
  const counted = tx
    .select({ codes: sql<number>`count(*)` })
    .from(oneTimeCodes)
    .where(and(eq(oneTimeCodes.to, to), eq(oneTimeCodes.orgCode, orgCode), gt(oneTimeCodes.issuedAt, since)))
    .get();
  return counted?.codes ?? 0;
}

/** Counts the codes sent to a member at any address since `since`. */
export function countOneTimeCodesByMember(tx: Tx, orgCode: string, suid: string, since: number): number {
  const counted = tx
    .select({ codes: sql<number>`count(*)` })
    .from(oneTimeCodes)
    .where(and(eq(oneTimeCodes.suid, suid), eq(oneTimeCodes.orgCode, orgCode), gt(oneTimeCodes.issuedAt, since)))
    .get();
  return counted?.codes ?? 0;
}

/** Finds a member's latest code. */
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
 * Checks a code in one statement. A correct code is marked as used, and a wrong code counts as a failed attempt.
 * @returns undefined if the code can't be checked: used, expired, or locked after `triesAllowed` wrong attempts
 */
export function checkOneTimeCode(
  tx: Tx,
  { id, hash }: Pick<NewOneTimeCode, 'id' | 'hash'>,
  { triesAllowed, now }: { triesAllowed: number; now: number },
): 'right' | 'wrong' | undefined {
  // Sealing is deterministic per row and column, so equal hashes have equal seals.
  const sealed = sealValue(tx, COLUMN, id, hash);
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
