import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import { emailChanges } from '../../schema/joining.ts';
import { members } from '../../schema/members.ts';
import { isTaken } from '../../sql.ts';

export type EmailChangeRow = typeof emailChanges.$inferSelect;

/** Begins a change of a member's address; replaces one that was waiting. */
export function beginEmailChange(tx: Tx, change: EmailChangeRow): void {
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

/** A member's pending change of address; undefined where none is pending at `now`. */
export function findEmailChange(tx: Tx, orgCode: string, suid: string, now: number): EmailChangeRow | undefined {
  return waiting(tx).get({ suid, orgCode, now });
}

/** Ends a waiting change and returns it; undefined where there was none. */
export function endEmailChange(tx: Tx, orgCode: string, suid: string): EmailChangeRow | undefined {
  return tx
    .delete(emailChanges)
    .where(and(eq(emailChanges.suid, suid), eq(emailChanges.orgCode, orgCode)))
    .returning()
    .get();
}

/** Gives a member a proven address; false where somebody else in the organisation has it. */
export function setProvenEmail(
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
    if (isTaken(reason, 'members.primaryEmail')) return false;
    throw reason;
  }
}

/**
 * Records that a member was reached at `email`, if that is still their address. @returns whether that was unknown
 * before
 */
export function proveEmail(
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

/** Deletes unconfirmed changes from before `before`. */
export function pruneEmailChanges(tx: Tx, before: number): void {
  tx.delete(emailChanges).where(lt(emailChanges.expiresAt, before)).run();
}
