import { invitationRepo, memberRepo, signUpRepo, type Tx } from '@orchestrate/db';
import { type ResultName, resultOf } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';
import { readMobileNumber } from './addresses.ts';

/** Refuses a field of a form. */
export function refuseField(name: ResultName, path: string, message = resultOf(name).sentence): never {
  throw new Refusal(name, { message, issues: [{ path, message }] });
}

/** @throws Refusal USER_EXISTS another member has the primary attribute */
export function requireFreePrimaryAttr(tx: Tx, orgCode: string, primaryAttr: string, path: string): void {
  if (invitationRepo.listTakenPrimaryAttrs(tx, orgCode, [primaryAttr]).length === 0) return;
  refuseField('USER_EXISTS', path, `“${primaryAttr}” belongs to another member.`);
}

/**
 * The mobile number that was typed for a member; null for none.
 * @throws Refusal INVALID_MOBILE_NUMBER; PHONE_ALREADY_EXISTS another member has it
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

/** @throws Refusal ID_DOESNOT_EXIST no such member */
export function requireManager(tx: Tx, orgCode: string, managerSuid: string): void {
  const manager = memberRepo.findMember(tx, orgCode, managerSuid);
  if (manager && manager.accountStatus !== 'deleted') return;
  refuseField('ID_DOESNOT_EXIST', 'managerSuid', 'There is no such member.');
}
