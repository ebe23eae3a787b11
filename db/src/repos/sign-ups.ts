import { and, eq, ne, notInArray, sql } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { isTaken } from '../is-taken.ts';
import { members } from '../schema/members.ts';
import { findMemberByPrimaryAttr, insertMember, type MemberRow, type NewMember } from './members.ts';

/** What somebody says who signs up. */
export type SignUp = Pick<MemberRow, 'firstName' | 'lastName' | 'mobileNumber'>;

/** Writes somebody who signs up, not verified yet; false where the primary attribute is somebody else's. */
export function insertSignUp(tx: Tx, member: Omit<NewMember, 'accountStatus'>): boolean {
  try {
    insertMember(tx, { ...member, accountStatus: 'unverified' });
    return true;
  } catch (reason) {
    if (isTaken(reason, 'members.primaryAttr')) return false;
    throw reason;
  }
}

/** Whether a primary attribute is a present member's: who signs up has the address for one. */
export function isNameTaken(tx: Tx, orgCode: string, primaryAttr: string): boolean {
  const holder = findMemberByPrimaryAttr(tx, orgCode, primaryAttr);
  return holder !== undefined && holder.accountStatus !== 'deleted';
}

/** Somebody who is not verified yet signs up again: what is said last counts. */
export function changeSignUp(
  tx: Tx,
  orgCode: string,
  suid: string,
  { firstName, lastName, mobileNumber }: SignUp,
): void {
  tx.update(members).set({ firstName, lastName, mobileNumber }).where(isUnverified(orgCode, suid)).run();
}

/**
 * Makes somebody who has been verified a member without a device; false for anyone who was not waiting for that.
 * @param emailVerifiedAt when the code went to the e-mail address; null where it went elsewhere
 */
export function admitSignUp(tx: Tx, orgCode: string, suid: string, emailVerifiedAt: number | null): boolean {
  const admitted = tx
    .update(members)
    .set({ accountStatus: 'unregistered', emailVerifiedAt })
    .where(isUnverified(orgCode, suid))
    .run();
  return admitted.changes === 1;
}

const isUnverified = (orgCode: string, suid: string) =>
  and(eq(members.orgCode, orgCode), eq(members.suid, suid), eq(members.accountStatus, 'unverified'));

/** Whether a mobile number is another member's. Whoever has not been verified has only said that it is his. */
export function isMobileNumberInUse(tx: Tx, orgCode: string, mobileNumber: string, suid: string): boolean {
  const found = tx
    .select({ one: sql`1` })
    .from(members)
    .where(
      and(
        eq(members.mobileNumber, mobileNumber),
        eq(members.orgCode, orgCode),
        notInArray(members.accountStatus, ['unverified', 'deleted']),
        ne(members.suid, suid),
      ),
    )
    .limit(1)
    .get();
  return found !== undefined;
}
