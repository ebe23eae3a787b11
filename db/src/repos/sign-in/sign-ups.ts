import { and, eq, ne, notInArray, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { members } from '../../schema/members.ts';
import { isUniqueViolation } from '../../sql.ts';
import { findMemberByPrimaryAttr, insertMember, type MemberRow, type NewMember } from '../members/members.ts';

/** Details a person enters when signing up. */
export type SignUp = Pick<MemberRow, 'firstName' | 'lastName' | 'mobileNumber'>;

/** Adds a new sign-up as an unverified member. Returns false if another member already has the primary attribute. */
export function insertSignUp(tx: Tx, member: Omit<NewMember, 'accountStatus'>): boolean {
  try {
    insertMember(tx, { ...member, accountStatus: 'unverified' });
    return true;
  } catch (reason) {
    if (isUniqueViolation(reason, 'members.primaryAttr')) return false;
    throw reason;
  }
}

/**
 * Returns true if a non-deleted member has this primary attribute. For sign-ups, the primary attribute is the email
 * address.
 */
export function isPrimaryAttrTaken(tx: Tx, orgCode: string, primaryAttr: string): boolean {
  const holder = findMemberByPrimaryAttr(tx, orgCode, primaryAttr);
  return holder !== undefined && holder.accountStatus !== 'deleted';
}

/** Overwrites the details of an unverified member who signs up again. */
export function updateSignUp(
  tx: Tx,
  orgCode: string,
  suid: string,
  { firstName, lastName, mobileNumber }: SignUp,
): void {
  tx.update(members).set({ firstName, lastName, mobileNumber }).where(isUnverified(orgCode, suid)).run();
}

/**
 * Turns a verified sign-up into a member without a device. Returns false if the member wasn't unverified.
 * @param emailVerifiedAt when the code was sent to the email address; null if the code was sent another way
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
 * Returns true if another member has this mobile number. Unverified members don't count, because they haven't proved
 * that the number is theirs.
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
