import { and, eq, gt, isNotNull, isNull, lt } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { externalSignIns } from '../../schema/external-sign-ins.ts';

export type ExternalSignInRow = typeof externalSignIns.$inferSelect;
export type NewExternalSignIn = Pick<
  ExternalSignInRow,
  'stateHash' | 'orgCode' | 'browser' | 'nonce' | 'codeVerifier' | 'createdAt' | 'expiresAt'
>;

/** Adds a sign-in that has been sent to the external provider. */
export function insertExternalSignIn(tx: Tx, row: NewExternalSignIn): void {
  tx.insert(externalSignIns).values(row).run();
}

/**
 * Claims the sign-in whose browser has come back from the provider: once, and only for the browser that began it. Found
 * by the state alone, which also tells the organisation. The caller checks whether it is too late.
 */
export function returnExternalSignIn(
  tx: Tx,
  { stateHash, browser }: { stateHash: string; browser: string },
  now: number,
): ExternalSignInRow | undefined {
  return tx
    .update(externalSignIns)
    .set({ returnedAt: now })
    .where(
      and(
        eq(externalSignIns.stateHash, stateHash),
        eq(externalSignIns.browser, browser),
        isNull(externalSignIns.returnedAt),
      ),
    )
    .returning()
    .get();
}

/** Who came back from the provider: as the provider names the person, and as the organisation does. */
export type ReturnedExternalSignIn = Pick<ExternalSignInRow, 'stateHash' | 'approvalId'> &
  Record<'suid' | 'codeHash' | 'issuer' | 'subject' | 'email', string>;

/**
 * Records who signed in, and the code that gets the browser a session; where `approvalId` is not null, only once the
 * member has approved that on a device.
 */
export function approveExternalSignIn(
  tx: Tx,
  orgCode: string,
  { stateHash, ...returned }: ReturnedExternalSignIn,
  now: number,
): void {
  tx.update(externalSignIns)
    .set({ ...returned, approvedAt: now })
    .where(and(eq(externalSignIns.stateHash, stateHash), eq(externalSignIns.orgCode, orgCode)))
    .run();
}

/** The hash of the browser's code, and the browser; both must match. */
export interface ExternalSignInSecrets {
  codeHash: string;
  browser: string;
}

/** The sign-in of a code, for the browser that began it. */
export function findExternalSignInByCode(
  tx: Tx,
  { codeHash, browser }: ExternalSignInSecrets,
): ExternalSignInRow | undefined {
  return tx
    .select()
    .from(externalSignIns)
    .where(and(eq(externalSignIns.codeHash, codeHash), eq(externalSignIns.browser, browser)))
    .get();
}

/** Claims the sign-in of a code: once, soon after it was approved, and only for the browser that began it. */
export function claimExternalSignIn(
  tx: Tx,
  { codeHash, browser }: ExternalSignInSecrets,
  { approvedAfter, now }: { approvedAfter: number; now: number },
): ExternalSignInRow | undefined {
  return tx
    .update(externalSignIns)
    .set({ exchangedAt: now })
    .where(
      and(
        eq(externalSignIns.codeHash, codeHash),
        eq(externalSignIns.browser, browser),
        isNotNull(externalSignIns.suid),
        isNull(externalSignIns.exchangedAt),
        gt(externalSignIns.approvedAt, approvedAfter),
      ),
    )
    .returning()
    .get();
}

/** Deletes those that expired before `before`, of every organisation. */
export function pruneExternalSignIns(tx: Tx, before: number): void {
  tx.delete(externalSignIns).where(lt(externalSignIns.expiresAt, before)).run();
}
