import { and, eq, gt, isNull, lt } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { appTries } from '../../schema/app-tries.ts';

export type AppTryRow = typeof appTries.$inferSelect;
export type NewAppTry = Omit<AppTryRow, 'returnedAt' | 'result'>;

/** Adds a test sign-in. */
export function insertAppTry(tx: Tx, row: NewAppTry): void {
  tx.insert(appTries).values(row).run();
}

/** Finds a test sign-in in any state, including expired ones. */
export function findAppTry(tx: Tx, orgCode: string, appId: string, id: string): AppTryRow | undefined {
  return tx
    .select()
    .from(appTries)
    .where(and(eq(appTries.id, id), eq(appTries.orgCode, orgCode), eq(appTries.appId, appId)))
    .get();
}

/** Returns whether a test sign-in of the application is pending: not expired and not returned. */
export function isBeingTried(tx: Tx, orgCode: string, appId: string, now: number): boolean {
  const isUnderWay = and(isNull(appTries.returnedAt), gt(appTries.expiresAt, now));
  const row = tx
    .select({ id: appTries.id })
    .from(appTries)
    .where(and(eq(appTries.appId, appId), eq(appTries.orgCode, orgCode), isUnderWay))
    .limit(1)
    .get();
  return row !== undefined;
}

/**
 * Claims the test sign-in whose browser has returned: once, before it expires, and only for the browser that started
 * it.
 */
export function returnAppTry(
  tx: Tx,
  orgCode: string,
  { id, browser, now }: { id: string; browser: string; now: number },
): AppTryRow | undefined {
  return tx
    .update(appTries)
    .set({ returnedAt: now })
    .where(
      and(
        eq(appTries.id, id),
        eq(appTries.orgCode, orgCode),
        eq(appTries.browser, browser),
        isNull(appTries.returnedAt),
        gt(appTries.expiresAt, now),
      ),
    )
    .returning()
    .get();
}

/** Stores the result of a test sign-in. */
export function setAppTryResult(tx: Tx, orgCode: string, id: string, result: NonNullable<AppTryRow['result']>): void {
  tx.update(appTries)
    .set({ result })
    .where(and(eq(appTries.id, id), eq(appTries.orgCode, orgCode)))
    .run();
}

/** Deletes test sign-ins of all organisations that expired before `before`. */
export function pruneAppTries(tx: Tx, before: number): void {
  tx.delete(appTries).where(lt(appTries.expiresAt, before)).run();
}
