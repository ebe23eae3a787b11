import { activationCodeRepo, emailChangeRepo, memberRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { HOUR, LIMITS, type PendingEmail, type ResultName } from '@orchestrate/shared';
import { emailObject, emailVerified } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { hasAddress } from '#core/members/addresses.ts';
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

/** Actor and, for the audit trail, their method. */
interface Acting {
  caller: Caller;
  actor: AuditActor;
}

/** Returns the pending email change for a member's page; null if there is none. */
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
 * Starts changing a member's own email: sends a code to the new address and a notice to the present one. Call it
 * inside a transaction; signal `TOPIC.outbox` after the commit.
 * @throws Refusal EMAIL_EXISTS; ORG_EMAIL_LIMIT_REACHED too many codes
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
  if (!hasAddress(member)) return;
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
 * Resends a code for the pending change, or starts verifying the present address.
 * @throws Refusal INVALID_EMAIL_VERIFICATION nothing to prove; ORG_EMAIL_LIMIT_REACHED too many codes
 */
export function sendEmailCode(deps: Deps, { caller: { orgCode, suid }, actor }: Acting): PendingEmail {
  const change = deps.db.transaction((tx) => {
    const member = requirePresent(tx, orgCode, suid);
    const waiting = emailChangeRepo.findEmailChange(tx, orgCode, suid, deps.clock.now());
    const email = waiting?.email ?? member.primaryEmail;
    record(deps, tx, actor, { action: 'email.code-sent', object: emailObject({ suid, email }) });
    if (waiting) {
      sendCode(deps, tx, member, email);
      return waiting;
    }
    if (member.emailVerifiedAt !== null || !hasAddress(member)) throw new Refusal('INVALID_EMAIL_VERIFICATION');
    return beginChange(deps, tx, member, email);
  });
  deps.bus.changed(TOPIC.outbox);
  return shownChange(change);
}

/**
 * Verifies a code: one sent to the new address completes the change, one sent to the present address verifies it. If
 * another member has since taken the address, code and change are kept.
 * @throws Refusal INVALID_OTP no six digits; INVALID_EMAIL_VERIFICATION nothing pending, or the code is used up;
 * OTP_EXPIRED; OTP_MISMATCH; EMAIL_EXISTS; INVALID_DOMAIN no longer allowed
 */
export function confirmEmail(deps: Deps, { caller, actor }: Acting, otp: string): Member {
  const { orgCode, suid } = caller;
  const code = readOneTimeCode(otp);
  const outcome = deps.db.transaction((tx): { refused: ResultName } | { member: Member } => {
    const member = requirePresent(tx, orgCode, suid);
    const change = emailChangeRepo.findEmailChange(tx, orgCode, suid, deps.clock.now());
    if (!change) return { refused: 'INVALID_EMAIL_VERIFICATION' };
    // Returned, not thrown: the counted attempt must be committed.
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
  if (!isMoved) record(deps, tx, actor, emailVerified({ suid, email }));
  else {
    const facts = { before: { primaryEmail }, after: { primaryEmail: email } };
    record(deps, tx, actor, { action: 'email.changed', object: emailObject({ suid, email }), ...facts });
    // A code was emailed to the former address.
    activationCodeRepo.voidActivationCodes(tx, orgCode, suid);
    if (hasAddress(member)) {
      const facts = { firstName, newEmail: email, at: now };
      writeMessage(deps, tx, { orgCode, to: primaryEmail, language, template: 'email-changed', facts });
    }
  }
  return { ...member, primaryEmail: email, emailVerifiedAt: now };
}

/**
 * Cancels a pending change: one's own, or that of a member over whom the caller has authority.
 * @throws Refusal INVALID_EMAIL_VERIFICATION nothing pending; INVALID_PERMISSIONS; ID_DOESNOT_EXIST
 */
export function cancelEmailChange(deps: Deps, { caller, actor }: Acting, { orgCode, suid }: Member): void {
  deps.db.transaction((tx) => {
    requireAuthorityOver(tx, caller, requirePresent(tx, orgCode, suid));
    const ended = emailChangeRepo.endEmailChange(tx, orgCode, suid);
    if (!ended) throw new Refusal('INVALID_EMAIL_VERIFICATION');
    record(deps, tx, actor, { action: 'email.change-cancelled', object: emailObject(ended) });
  });
}

/**
 * Returns the current member inside the transaction that changes them: the guard's copy may be out of date.
 * @throws Refusal ID_DOESNOT_EXIST if deleted
 */
export function requirePresent(tx: Tx, orgCode: string, suid: string): memberRepo.MemberRow {
  const member = memberRepo.findMember(tx, orgCode, suid);
  if (!member || member.accountStatus === 'deleted') throw new Refusal('ID_DOESNOT_EXIST');
  return member;
}
