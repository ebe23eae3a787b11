import { and, eq, gt, isNull, lt } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { appTries } from '../../schema/app-tries.ts';

export type AppTryRow = typeof appTries.$inferSelect;
export type NewAppTry = Omit<AppTryRow, 'returnedAt' | 'result'>;

/** Adds a try of an application. */
export function insertAppTry(tx: Tx, row: NewAppTry): void {
  tx.insert(appTries).values(row).run();
}

/** A try in any state, also one that has expired. */
export function findAppTry(tx: Tx, orgCode: string, appId: string, id: string): AppTryRow | undefined {
  return tx
    .select()
    .from(appTries)
    .where(and(eq(appTries.id, id), eq(appTries.orgCode, orgCode), eq(appTries.appId, appId)))
    .get();
}

/** Whether somebody is trying an application now: began in time and has not come back. */
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

/** Claims the try whose browser has come back: once, in time, and only for the browser that began it. */
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

/** Stores what the try has found. */
export function setAppTryResult(tx: Tx, orgCode: string, id: string, result: NonNullable<AppTryRow['result']>): void {
  tx.update(appTries)
    .set({ result })
    .where(and(eq(appTries.id, id), eq(appTries.orgCode, orgCode)))
    .run();
}

/** Deletes those that expired before `before`, of every organisation. */
export function pruneAppTries(tx: Tx, before: number): void {
  tx.delete(appTries).where(lt(appTries.expiresAt, before)).run();
}
