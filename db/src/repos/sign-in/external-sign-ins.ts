import { and, eq, gt, isNotNull, isNull, lt } from '#drizzle';
import type { Tx } from '../../database.ts';
import { externalSignIns } from '../../schema/external-sign-ins.ts';

export type ExternalSignInRow = typeof externalSignIns.$inferSelect;
export type NewExternalSignIn = Pick<
  ExternalSignInRow,
  'stateHash' | 'orgCode' | 'browser' | 'nonce' | 'codeVerifier' | 'createdAt' | 'expiresAt'
>;

/** Adds a sign-in before its browser is redirected to the external provider. */
export function insertExternalSignIn(tx: Tx, row: NewExternalSignIn): void {
  tx.insert(externalSignIns).values(row).run();
}

/**
 * Claims a sign-in when its browser returns from the provider. Works only once, and only for the browser that started
 * it. The state alone identifies the sign-in and its organisation. The caller must check whether the sign-in has
 * expired.
 */
export function claimReturnedSignIn(
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

/** A sign-in after the user's return: the member, the account at the provider, and the code for the browser. */
export type ReturnedExternalSignIn = Pick<ExternalSignInRow, 'stateHash' | 'approvalId'> &
  Record<'suid' | 'codeHash' | 'issuer' | 'subject' | 'email', string>;

/**
 * Records who signed in, and the code that the browser exchanges for a session. If `approvalId` is not null, the
 * exchange also needs the member's approval of that request on a device.
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

/** The code's hash and the browser, which must both match. */
export interface ExternalSignInSecrets {
  codeHash: string;
  browser: string;
}

/** Finds a sign-in by its code, for the browser that started it. */
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

/**
 * Claims a sign-in by its code. Works only once, shortly after its approval, and only for the browser that started
 * it.
 */
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

/** Deletes external sign-ins that expired before `before`, across all organisations. */
export function pruneExternalSignIns(tx: Tx, before: number): void {
  tx.delete(externalSignIns).where(lt(externalSignIns.expiresAt, before)).run();
}
