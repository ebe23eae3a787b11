import { and, eq, gt, isNull, lt } from '#drizzle';
import type { Tx } from '../../database.ts';
import { testSignIns } from '../../schema/app-logins.ts';

export type TestSignInRow = typeof testSignIns.$inferSelect;
export type NewTestSignIn = Omit<TestSignInRow, 'returnedAt' | 'result'>;

export function insertTestSignIn(tx: Tx, row: NewTestSignIn): void {
  tx.insert(testSignIns).values(row).run();
}

/** Finds a test sign-in in any state, even if it has expired. */
export function findTestSignIn(tx: Tx, orgCode: string, appId: string, id: string): TestSignInRow | undefined {
  return tx
    .select()
    .from(testSignIns)
    .where(and(eq(testSignIns.id, id), eq(testSignIns.orgCode, orgCode), eq(testSignIns.appId, appId)))
    .get();
}

/** Returns true if the application has a pending test sign-in: neither returned nor expired. */
export function hasPendingTestSignIn(tx: Tx, orgCode: string, appId: string, now: number): boolean {
  const isUnderWay = and(isNull(testSignIns.returnedAt), gt(testSignIns.expiresAt, now));
  const row = tx
    .select({ id: testSignIns.id })
    .from(testSignIns)
    .where(and(eq(testSignIns.appId, appId), eq(testSignIns.orgCode, orgCode), isUnderWay))
    .limit(1)
    .get();
  return row !== undefined;
}

/**
 * Claims a test sign-in when its browser returns. It can be claimed only once, before it expires, and only by the
 * browser that started it.
 */
export function claimTestSignIn(
  tx: Tx,
  orgCode: string,
  { id, browser, now }: { id: string; browser: string; now: number },
): TestSignInRow | undefined {
  return tx
    .update(testSignIns)
    .set({ returnedAt: now })
    .where(
      and(
        eq(testSignIns.id, id),
        eq(testSignIns.orgCode, orgCode),
        eq(testSignIns.browser, browser),
        isNull(testSignIns.returnedAt),
        gt(testSignIns.expiresAt, now),
      ),
    )
    .returning()
    .get();
}

export function setTestSignInResult(
  tx: Tx,
  orgCode: string,
  id: string,
  result: NonNullable<TestSignInRow['result']>,
): void {
  tx.update(testSignIns)
    .set({ result })
    .where(and(eq(testSignIns.id, id), eq(testSignIns.orgCode, orgCode)))
    .run();
}

/** Deletes every organisation's test sign-ins that expired before `before`. */
export function pruneTestSignIns(tx: Tx, before: number): void {
  tx.delete(testSignIns).where(lt(testSignIns.expiresAt, before)).run();
}
