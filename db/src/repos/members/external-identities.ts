import { and, desc, eq } from '#drizzle';
import type { Tx } from '../../database.ts';
import { externalIdentities } from '../../schema/external-sign-ins.ts';
import { isUniqueViolation } from '../../sql.ts';

export type ExternalIdentityRow = typeof externalIdentities.$inferSelect;

/** An account at an external provider. */
export type ExternalAccount = Pick<ExternalIdentityRow, 'issuer' | 'subject'>;

/** Finds the member who signs in with this account, even if the email has changed on either side. */
export function findExternalIdentity(
  tx: Tx,
  orgCode: string,
  { issuer, subject }: ExternalAccount,
): ExternalIdentityRow | undefined {
  return tx
    .select()
    .from(externalIdentities)
    .where(
      and(
        eq(externalIdentities.subject, subject),
        eq(externalIdentities.issuer, issuer),
        eq(externalIdentities.orgCode, orgCode),
      ),
    )
    .get();
}

/** Lists a member's linked accounts, newest first. */
export function listExternalIdentities(tx: Tx, orgCode: string, suid: string): ExternalIdentityRow[] {
  return tx
    .select()
    .from(externalIdentities)
    .where(and(eq(externalIdentities.suid, suid), eq(externalIdentities.orgCode, orgCode)))
    .orderBy(desc(externalIdentities.linkedAt), externalIdentities.id)
    .all();
}

/** Links an account to a member. Returns false if it is already linked to any member. */
export function insertExternalIdentity(tx: Tx, identity: ExternalIdentityRow): boolean {
  try {
    tx.insert(externalIdentities).values(identity).run();
    return true;
  } catch (reason) {
    if (isUniqueViolation(reason, 'external_identities.issuer')) return false;
    throw reason;
  }
}

/** Records a sign-in through a link. With `approvedAt`, also records the member's approval of the link. */
export function touchExternalIdentity(
  tx: Tx,
  orgCode: string,
  { id, approvedAt }: Pick<ExternalIdentityRow, 'id' | 'approvedAt'>,
  now: number,
): void {
  tx.update(externalIdentities)
    .set({ lastUsedAt: now, approvedAt })
    .where(and(eq(externalIdentities.id, id), eq(externalIdentities.orgCode, orgCode)))
    .run();
}

/** Removes a member's linked account and returns it. */
export function removeExternalIdentity(
  tx: Tx,
  orgCode: string,
  { id, suid }: Pick<ExternalIdentityRow, 'id' | 'suid'>,
): ExternalIdentityRow | undefined {
  return tx
    .delete(externalIdentities)
    .where(
      and(eq(externalIdentities.id, id), eq(externalIdentities.suid, suid), eq(externalIdentities.orgCode, orgCode)),
    )
    .returning()
    .get();
}

/** Removes all linked accounts of a deleted member. */
export function removeExternalIdentities(tx: Tx, orgCode: string, suid: string): void {
  tx.delete(externalIdentities)
    .where(and(eq(externalIdentities.suid, suid), eq(externalIdentities.orgCode, orgCode)))
    .run();
}
