import { and, eq, ne, notInArray, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { members } from '../../schema/members.ts';
import { isTaken } from '../../sql.ts';
import { findMemberByPrimaryAttr, insertMember, type MemberRow, type NewMember } from '../members/members.ts';

/** What a person enters when signing up. */
export type SignUp = Pick<MemberRow, 'firstName' | 'lastName' | 'mobileNumber'>;

/** Writes a person who signs up, not verified yet; false where somebody else has the primary attribute. */
export function insertSignUp(tx: Tx, member: Omit<NewMember, 'accountStatus'>): boolean {
  try {
    insertMember(tx, { ...member, accountStatus: 'unverified' });
    return true;
  } catch (reason) {
    if (isTaken(reason, 'members.primaryAttr')) return false;
    throw reason;
  }
}

/** Whether a present member has this primary attribute; for people who sign up it is their address. */
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
 * Makes a verified person a member without a device; false for anyone who was not waiting for that.
 * @param emailVerifiedAt when the code was sent to the email address; null where it was sent elsewhere
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

/**
 * Whether another member has a mobile number. People who are not verified yet don't count: they only claim the number.
 */
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
