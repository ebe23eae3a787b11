import { and, eq, ne, notInArray, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { members } from '../../schema/members.ts';
import { isTaken } from '../../sql.ts';
import { findMemberByPrimaryAttr, insertMember, type MemberRow, type NewMember } from '../members/members.ts';

/** Data that a person enters when signing up. */
export type SignUp = Pick<MemberRow, 'firstName' | 'lastName' | 'mobileNumber'>;

/** Adds an unverified member who signs up. Returns false if another member has the primary attribute. */
export function insertSignUp(tx: Tx, member: Omit<NewMember, 'accountStatus'>): boolean {
  try {
    insertMember(tx, { ...member, accountStatus: 'unverified' });
    return true;
  } catch (reason) {
    if (isTaken(reason, 'members.primaryAttr')) return false;
    throw reason;
  }
}

/** Returns whether a present member has this primary attribute, which is the email of people who sign up. */
export function isNameTaken(tx: Tx, orgCode: string, primaryAttr: string): boolean {
  const holder = findMemberByPrimaryAttr(tx, orgCode, primaryAttr);
  return holder !== undefined && holder.accountStatus !== 'deleted';
}

/** Updates a person who signs up again before being verified: the last input counts. */
export function changeSignUp(
  tx: Tx,
  orgCode: string,
  suid: string,
  { firstName, lastName, mobileNumber }: SignUp,
): void {
  tx.update(members).set({ firstName, lastName, mobileNumber }).where(isUnverified(orgCode, suid)).run();
}

/**
 * Turns a verified sign-up into a member without a device. Returns false for anyone who wasn't unverified.
 * @param emailVerifiedAt when the code was sent to the email address; null if it was sent elsewhere
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

/** Returns whether another member has a mobile number. Unverified members don't count: they only claim the number. */
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
