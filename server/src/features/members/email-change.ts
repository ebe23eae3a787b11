import { activationCodeRepo, emailChangeRepo, memberRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { HOUR, LIMITS, type PendingEmail, type ResultName } from '@orchestrate/shared';
import { emailObject, emailVerifiedEntry } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { hasEmailAddress } from '#core/members/addresses.ts';
import { requireAllowedDomain } from '#core/members/allowed-domain.ts';
import { requireAuthorityOver } from '#core/members/authority.ts';
import { checkOneTimeCode, issueOneTimeCode, readOneTimeCode } from '#core/members/one-time-code.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { writeMessage } from '#platform/mails/write-message.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';

type Member = memberRepo.MemberRow;
type Change = emailChangeRepo.EmailChangeRow;

/** The acting member, and their actor for the audit trail. */
interface Acting {
  caller: Caller;
  actor: AuditActor;
}

/** Returns the pending email change to display on a member's page, or null if there is none. */
export function pendingEmailOf({ db, clock }: Deps, { orgCode, suid }: Pick<Member, 'orgCode' | 'suid'>) {
  const change = emailChangeRepo.findEmailChange(db, orgCode, suid, clock.now());
  return change ? shownChange(change) : null;
}

const shownChange = ({ email, requestedAt, expiresAt }: Change): PendingEmail => ({
  email,
  requestedAt: isoOf(requestedAt),
  expiresAt: isoOf(expiresAt),
});

/**
 * Starts changing a member's own email: sends a code to the new address and a notice to the current address. Call
 * inside a transaction, and signal `TOPIC.outbox` after the commit.
 * @throws Refusal EMAIL_EXISTS; ORG_EMAIL_LIMIT_REACHED for too many codes
 */
export function requestEmailChange(
  deps: Deps,
  tx: Tx,
  { member, actor }: { member: Member; actor: AuditActor },
  email: string,
): void {
  const { orgCode, suid, firstName, language, primaryEmail } = member;
  if (memberRepo.findMemberByEmail(tx, orgCode, email)) throw new Refusal('EMAIL_EXISTS');
  const { requestedAt, expiresAt } = beginChange(deps, tx, member, email);
  record(deps, tx, actor, {
    action: 'email.change-requested',
    object: emailObject({ suid, email }),
    before: { primaryEmail },
    after: { primaryEmail: email, expiresAt: isoOf(expiresAt) },
  });
  if (!hasEmailAddress(member)) return;
  const facts = { firstName, newEmail: email, at: requestedAt, expiresAt };
  writeMessage(deps, tx, { orgCode, to: primaryEmail, language, template: 'email-change', facts });
}

function beginChange(deps: Deps, tx: Tx, member: Member, email: string): Change {
  const { orgCode, suid } = member;
  const now = deps.clock.now();
  const change = { orgCode, suid, email, requestedAt: now, expiresAt: now + LIMITS.emailChangeHours * HOUR };
  sendCode(deps, tx, member, email);
  emailChangeRepo.startEmailChange(tx, change);
  return change;
}

function sendCode(deps: Deps, tx: Tx, { orgCode, suid, firstName, language }: Member, to: string): void {
  const { code, expiresAt } = issueOneTimeCode(deps, tx, { orgCode, suid, to });
  const facts = { firstName, code, expiresAt };
  writeMessage(deps, tx, { orgCode, to, language, template: 'email-code', facts, secretFor: suid });
}

/**
 * Resends the code for a pending change, or starts verifying the current address.
 * @throws Refusal INVALID_EMAIL_VERIFICATION if there is nothing to verify; ORG_EMAIL_LIMIT_REACHED for too many
 * codes
 */
export function sendEmailCode(deps: Deps, { caller: { orgCode, suid }, actor }: Acting): PendingEmail {
  const change = deps.db.transaction((tx) => {
    const member = requireExistingMember(tx, orgCode, suid);
    const waiting = emailChangeRepo.findEmailChange(tx, orgCode, suid, deps.clock.now());
    const email = waiting?.email ?? member.primaryEmail;
    record(deps, tx, actor, { action: 'email.code-sent', object: emailObject({ suid, email }) });
    if (waiting) {
      sendCode(deps, tx, member, email);
      return waiting;
    }
    if (member.emailVerifiedAt !== null || !hasEmailAddress(member)) throw new Refusal('INVALID_EMAIL_VERIFICATION');
    return beginChange(deps, tx, member, email);
  });
  deps.bus.changed(TOPIC.outbox);
  return shownChange(change);
}

/**
 * Verifies a code. A code sent to the new address completes the change, and a code sent to the current address
 * verifies it. If another member has since taken the address, the code and the change are kept.
 * @throws Refusal INVALID_OTP if the code isn't six digits; INVALID_EMAIL_VERIFICATION if nothing is pending or the
 * code is used up; OTP_EXPIRED; OTP_MISMATCH; EMAIL_EXISTS; INVALID_DOMAIN if the domain is no longer allowed
 */
export function confirmEmail(deps: Deps, { caller, actor }: Acting, otp: string): Member {
  const { orgCode, suid } = caller;
  const code = readOneTimeCode(otp);
  const outcome = deps.db.transaction((tx): { refused: ResultName } | { member: Member } => {
    const member = requireExistingMember(tx, orgCode, suid);
    const change = emailChangeRepo.findEmailChange(tx, orgCode, suid, deps.clock.now());
    if (!change) return { refused: 'INVALID_EMAIL_VERIFICATION' };
    // The refusal is returned rather than thrown, because throwing would roll back the counted attempt.
    const refused = checkOneTimeCode(deps, tx, { orgCode, suid, to: change.email }, code);
    return refused ? { refused } : { member: takeAddress(deps, tx, { member, actor }, change) };
  });
  if ('refused' in outcome) throw new Refusal(outcome.refused);
  deps.bus.changed(TOPIC.outbox);
  return outcome.member;
}

function takeAddress(
  deps: Deps,
  tx: Tx,
  { member, actor }: { member: Member; actor: AuditActor },
  { email }: Change,
): Member {
  const { orgCode, suid, firstName, language, primaryEmail } = member;
  const now = deps.clock.now();
  const isMoved = email !== primaryEmail;
  const organisation = organisationRepo.findOrganisation(tx, orgCode);
  if (isMoved && organisation) requireAllowedDomain(email, organisation, 'primaryEmail');
  if (!emailChangeRepo.setVerifiedEmail(tx, orgCode, { suid, email }, now)) throw new Refusal('EMAIL_EXISTS');
  emailChangeRepo.endEmailChange(tx, orgCode, suid);
  if (!isMoved) record(deps, tx, actor, emailVerifiedEntry({ suid, email }));
  else {
    const facts = { before: { primaryEmail }, after: { primaryEmail: email } };
    record(deps, tx, actor, { action: 'email.changed', object: emailObject({ suid, email }), ...facts });
    // Activation codes were emailed to the old address, which the member may no longer control, so void them.
    activationCodeRepo.revokeActivationCodes(tx, orgCode, suid);
    if (hasEmailAddress(member)) {
      const facts = { firstName, newEmail: email, at: now };
      writeMessage(deps, tx, { orgCode, to: primaryEmail, language, template: 'email-changed', facts });
    }
  }
  return { ...member, primaryEmail: email, emailVerifiedAt: now };
}

/**
 * Cancels a pending change of the acting member, or of a member over whom they have authority.
 * @throws Refusal INVALID_EMAIL_VERIFICATION if nothing is pending; INVALID_PERMISSIONS; ID_DOESNOT_EXIST
 */
export function cancelEmailChange(deps: Deps, { caller, actor }: Acting, { orgCode, suid }: Member): void {
  deps.db.transaction((tx) => {
    requireAuthorityOver(tx, caller, requireExistingMember(tx, orgCode, suid));
    const ended = emailChangeRepo.endEmailChange(tx, orgCode, suid);
    if (!ended) throw new Refusal('INVALID_EMAIL_VERIFICATION');
    record(deps, tx, actor, { action: 'email.change-cancelled', object: emailObject(ended) });
  });
}

/**
 * Returns the member as stored inside the transaction that changes them, because the guard's copy may be out of date.
 * @throws Refusal ID_DOESNOT_EXIST if the member is deleted
 */
export function requireExistingMember(tx: Tx, orgCode: string, suid: string): memberRepo.MemberRow {
  const member = memberRepo.findMember(tx, orgCode, suid);
  if (!member || member.accountStatus === 'deleted') throw new Refusal('ID_DOESNOT_EXIST');
  return member;
}
