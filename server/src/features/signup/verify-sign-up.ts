import { memberRepo, oneTimeCodeRepo, type organisationRepo, signUpRepo, type Tx } from '@orchestrate/db';
import { LIMITS, type ResultName } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../http/refusal.ts';
import { mailCode } from '../../joining/issue-code.ts';
import { TOPIC } from '../../live/bus.ts';
import { hashOfOneTimeCode, requireOrganisation } from './sign-up.ts';

export interface VerifyRequest {
  orgCode: string;
  email: string;
  otp: string;
  /** From where it is asked. */
  ip: string;
}

const ONE_TIME_CODE = new RegExp(`^\\d{${LIMITS.oneTimeCodeLength}}$`);

/**
 * Confirms a sign-up with its one-time code: whoever signed up is a member now, and is mailed an activation code.
 * @throws Refusal 18, 69; 12 no six digits; 81 nobody waits for that, or five wrong tries; 15 too late; 14 wrong; 16 the
 * number has become another's meanwhile
 */
export function verifySignUp(deps: Deps, { orgCode, email, otp, ip }: VerifyRequest): void {
  const organisation = requireOrganisation(deps.db, orgCode, ip);
  const code = otp.replace(/[\s-]/g, '');
  if (!ONE_TIME_CODE.test(code)) throw new Refusal('INVALID_OTP');
  const refused = deps.db.transaction(
    (tx): ResultName | undefined => {
      const member = memberRepo.findMemberByEmail(tx, orgCode, email);
      if (member?.accountStatus !== 'unverified') throw new Refusal('INVALID_EMAIL_VERIFICATION');
      // Returned, not thrown: the try that it counts must stay.
      const wrong = tryCode(deps, tx, member, code);
      if (!wrong) admit(deps, tx, member, organisation);
      return wrong;
    },
    { behavior: 'immediate' },
  );
  if (refused) throw new Refusal(refused);
  deps.bus.changed(TOPIC.outbox);
}

/** @returns what is wrong with the code, after its try has been counted; undefined for the right one, now used up */
function tryCode(
  { clock }: Deps,
  tx: Tx,
  { orgCode, suid }: memberRepo.MemberRow,
  code: string,
): ResultName | undefined {
  const issued = oneTimeCodeRepo.findOneTimeCode(tx, orgCode, suid);
  if (!issued) return 'INVALID_EMAIL_VERIFICATION';
  const { id, wrongTries, usedAt } = issued;
  const allowed = { triesAllowed: LIMITS.oneTimeCodeTries, now: clock.now() };
  const tried = oneTimeCodeRepo.tryOneTimeCode(tx, { id, hash: hashOfOneTimeCode(id, code) }, allowed);
  if (tried === 'right') return undefined;
  if (tried === 'wrong') return 'OTP_MISMATCH';
  const isSpent = usedAt !== null || wrongTries >= LIMITS.oneTimeCodeTries;
  return isSpent ? 'INVALID_EMAIL_VERIFICATION' : 'OTP_EXPIRED';
}

/** The activation code goes by mail in any case: so the address is proven too, whatever the first code went to. */
function admit(
  deps: Deps,
  tx: Tx,
  member: memberRepo.MemberRow,
  { mobileAppEnabled }: organisationRepo.OrganisationRow,
): void {
  const { orgCode, suid, mobileNumber } = member;
  if (mobileNumber !== null && signUpRepo.isMobileNumberInUse(tx, orgCode, mobileNumber, suid)) {
    throw new Refusal('PHONE_ALREADY_EXISTS');
  }
  signUpRepo.admitSignUp(tx, orgCode, suid);
  const admitted = { ...member, accountStatus: 'unregistered' as const };
  mailCode(deps, tx, { member: admitted, type: mobileAppEnabled ? 'mobile' : 'desktop' });
}
