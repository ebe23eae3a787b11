import { memberRepo, type organisationRepo, signUpRepo, type Tx } from '@orchestrate/db';
import type { ResultName } from '@orchestrate/shared';
import { emailVerified, memberObject } from '../../core/audit/audit-objects.ts';
import { record } from '../../core/audit/record.ts';
import { firstAppOf } from '../../core/device-keys/device-admission.ts';
import { mailCode } from '../../core/members/issue-code.ts';
import { readOneTimeCode, tryOneTimeCode } from '../../core/members/one-time-code.ts';
import { countFailure, requireRoom } from '../../core/sign-in/budgets.ts';
import type { Deps } from '../../deps.ts';
import { type AuditActor, visitorOf } from '../../platform/http/callers/actors.ts';
import { networkOf } from '../../platform/http/callers/network-of.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { Refusal } from '../../platform/refusal.ts';
import { tryDecoy } from './decoy.ts';
import { requireOrganisation } from './sign-up.ts';

export interface VerifyRequest {
  orgCode: string;
  email: string;
  otp: string;
  /** Who asks, and from which address. */
  actor: AuditActor;
}

/**
 * Confirms a sign-up with its one-time code: the person who signed up is a member now, and is mailed an activation
 * code.
 * @throws Refusal ORG_CODE_NOT_FOUND, IP_NOT_VALID; BAD_REQUEST (HTTP 429) too many wrong codes from this network;
 * INVALID_OTP no six digits; INVALID_EMAIL_VERIFICATION nobody waits for that, or five wrong tries; OTP_EXPIRED too
 * late; OTP_MISMATCH wrong; PHONE_ALREADY_EXISTS the number now belongs to another member; AUTHENTICATOR_DISALLOWED the
 * organisation has switched off every app
 */
export function verifySignUp(deps: Deps, { orgCode, email, otp, actor: visitor }: VerifyRequest): void {
  const organisation = requireOrganisation(deps.db, orgCode, visitor.ip);
  const actor = visitorOf(visitor, orgCode, email);
  const code = readOneTimeCode(otp);
  const trier = { orgCode, kind: 'one-time-code' as const, subject: networkOf(actor.ip) };
  const refused = deps.db.transaction((tx): ResultName | undefined => {
    requireRoom(deps, tx, trier);
    const member = memberRepo.findMemberByEmail(tx, orgCode, email);
    const isWaiting = member?.accountStatus === 'unverified';
    const wrong = isWaiting
      ? tryOneTimeCode(deps, tx, { orgCode, suid: member.suid }, code)
      : tryDecoy(deps, tx, orgCode, email, code);
    if (wrong) countFailure(deps, tx, trier);
    else if (isWaiting) admit(deps, tx, { member, actor }, organisation);
    // Returned, not thrown: the counted attempt must be committed.
    return wrong;
  });
  if (refused) throw new Refusal(refused);
  deps.bus.changed(TOPIC.outbox);
}

/** The activation code goes by mail; the address already counts as verified if the first code was mailed there too. */
function admit(
  deps: Deps,
  tx: Tx,
  { member, actor }: { member: memberRepo.MemberRow; actor: AuditActor },
  organisation: organisationRepo.OrganisationRow,
): void {
  const { orgCode, suid, mobileNumber } = member;
  if (mobileNumber !== null && signUpRepo.isMobileNumberInUse(tx, orgCode, mobileNumber, suid)) {
    throw new Refusal('PHONE_ALREADY_EXISTS');
  }
  const isMailed = mobileNumber === null;
  signUpRepo.admitSignUp(tx, orgCode, suid, isMailed ? deps.clock.now() : null);
  const admitted = { ...member, accountStatus: 'unregistered' as const };
  const facts = { before: { accountStatus: member.accountStatus }, after: { accountStatus: admitted.accountStatus } };
  record(deps, tx, actor, { action: 'member.verified', object: memberObject(member), ...facts });
  if (isMailed) record(deps, tx, actor, emailVerified({ suid, email: member.primaryEmail }));
  mailCode(deps, tx, { actor, member: admitted, type: firstAppOf(organisation), isOwn: false });
}
