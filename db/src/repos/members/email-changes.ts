import { and, eq, gt, isNull, lt, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { emailChanges } from '../../schema/joining.ts';
import { members } from '../../schema/members.ts';
import { isUniqueViolation } from '../../sql.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type EmailChangeRow = typeof emailChanges.$inferSelect;

/** Starts a change of a member's email, replacing any pending change. */
export function startEmailChange(tx: Tx, change: EmailChangeRow): void {
  tx.insert(emailChanges).values(change).onConflictDoUpdate({ target: emailChanges.suid, set: change }).run();
}

const waiting = drizzleStatement((db) =>
  db
    .select()
    .from(emailChanges)
    .where(
      and(
        eq(emailChanges.suid, sql.placeholder('suid')),
        eq(emailChanges.orgCode, sql.placeholder('orgCode')),
        gt(emailChanges.expiresAt, sql.placeholder('now')),
      ),
    )
    .prepare(),
);

/** Finds a member's email change that is still pending at `now`. */
export function findEmailChange(tx: Tx, orgCode: string, suid: string, now: number): EmailChangeRow | undefined {
  return waiting(tx).get({ suid, orgCode, now });
}

/** Deletes a pending change and returns it. */
export function endEmailChange(tx: Tx, orgCode: string, suid: string): EmailChangeRow | undefined {
  return tx
    .delete(emailChanges)
    .where(and(eq(emailChanges.suid, suid), eq(emailChanges.orgCode, orgCode)))
    .returning()
    .get();
}

/** Sets a member's verified email. Returns false if another member of the organisation already has it. */
export function setVerifiedEmail(
  tx: Tx,
  orgCode: string,
  { suid, email }: Pick<EmailChangeRow, 'suid' | 'email'>,
  now: number,
): boolean {
  try {
    tx.update(members)
      .set({ primaryEmail: email, emailVerifiedAt: now })
      .where(and(eq(members.orgCode, orgCode), eq(members.suid, suid)))
      .run();
    return true;
  } catch (reason) {
    if (isUniqueViolation(reason, 'members.primaryEmail')) return false;
    throw reason;
  }
}

/**
 * Records that a member received a message at `email`, if `email` is still their address.
 * @returns true if the email was unverified before
 */
export function markEmailVerified(
  tx: Tx,
  orgCode: string,
  { suid, email }: Pick<EmailChangeRow, 'suid' | 'email'>,
  now: number,
): boolean {
  const isUnproven = and(eq(members.primaryEmail, email), isNull(members.emailVerifiedAt));
  const { changes } = tx
    .update(members)
    .set({ emailVerifiedAt: now })
    .where(and(eq(members.orgCode, orgCode), eq(members.suid, suid), isUnproven))
    .run();
  return changes > 0;
}

/** Deletes unconfirmed email changes that expired before `before`. */
export function pruneEmailChanges(tx: Tx, before: number): void {
  tx.delete(emailChanges).where(lt(emailChanges.expiresAt, before)).run();
}
