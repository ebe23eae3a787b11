import { and, eq, gt, isNotNull, isNull, lt } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { externalSignIns } from '../../schema/external-sign-ins.ts';

export type ExternalSignInRow = typeof externalSignIns.$inferSelect;
export type NewExternalSignIn = Pick<
  ExternalSignInRow,
  'stateHash' | 'orgCode' | 'browser' | 'nonce' | 'codeVerifier' | 'createdAt' | 'expiresAt'
>;

/** Adds a sign-in that is redirected to the external provider. */
export function insertExternalSignIn(tx: Tx, row: NewExternalSignIn): void {
  tx.insert(externalSignIns).values(row).run();
}

/**
 * Claims the sign-in whose browser has returned from the provider: once, and only for the browser that started it.
 * Finds it by the state alone, which also identifies the organisation. The caller checks whether it has expired.
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

/** A user who returned from the provider, as identified by the provider and by the organisation. */
export type ReturnedExternalSignIn = Pick<ExternalSignInRow, 'stateHash' | 'approvalId'> &
  Record<'suid' | 'codeHash' | 'issuer' | 'subject' | 'email', string>;

/**
 * Records who signed in, and the code that the browser exchanges for a session; if `approvalId` is not null, only once
 * the member has approved that request on a device.
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

/** Finds the sign-in of a code, for the browser that started it. */
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

/** Claims the sign-in of a code: once, soon after its approval, and only for the browser that started it. */
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

/** Deletes external sign-ins of all organisations that expired before `before`. */
export function pruneExternalSignIns(tx: Tx, before: number): void {
  tx.delete(externalSignIns).where(lt(externalSignIns.expiresAt, before)).run();
}
