import { invitationRepo, memberRepo, signUpRepo, type Tx } from '@orchestrate/db';
import { type ResultName, resultOf } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';
import { readMobileNumber } from './addresses.ts';

/** Throws a Refusal with an issue on one form field. */
export function refuseField(name: ResultName, path: string, message = resultOf(name).sentence): never {
  throw new Refusal(name, { message, issues: [{ path, message }] });
}

/** Throws Refusal USER_EXISTS if another member has the primary attribute. */
export function requireFreePrimaryAttr(tx: Tx, orgCode: string, primaryAttr: string, path: string): void {
  if (invitationRepo.listTakenPrimaryAttrs(tx, orgCode, [primaryAttr]).length === 0) return;
  refuseField('USER_EXISTS', path, `“${primaryAttr}” belongs to another member.`);
}

/**
 * Normalises a mobile number entered for a member. Returns null if it is empty.
 * @throws Refusal INVALID_MOBILE_NUMBER; PHONE_ALREADY_EXISTS if another member has the number
 */
export function requireMobileNumber(
  tx: Tx,
  { orgCode, suid }: Pick<memberRepo.MemberRow, 'orgCode' | 'suid'>,
  typed: string,
): string | null {
  const mobileNumber = readMobileNumber(typed);
  if (mobileNumber === undefined) return refuseField('INVALID_MOBILE_NUMBER', 'mobileNumber');
  if (mobileNumber !== null && signUpRepo.isMobileNumberInUse(tx, orgCode, mobileNumber, suid)) {
    refuseField('PHONE_ALREADY_EXISTS', 'mobileNumber');
  }
  return mobileNumber;
}

/** Throws Refusal ID_DOESNOT_EXIST if the manager isn't a member of the organisation. */
export function requireManager(tx: Tx, orgCode: string, managerSuid: string): void {
  const manager = memberRepo.findMember(tx, orgCode, managerSuid);
  if (manager && manager.accountStatus !== 'deleted') return;
  refuseField('ID_DOESNOT_EXIST', 'managerSuid', "This member doesn't exist.");
}
