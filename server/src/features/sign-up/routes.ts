import { createHmac } from 'node:crypto';
import { decoySignUpRepo, memberRepo, organisationRepo, signUpRepo, type Tx, throttleRepo } from '@orchestrate/db';
import { contract, HOUR, type Language, LIMITS, type ResultName, SECOND, type SignupForm } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { emailVerifiedEntry, memberObject } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { appSwitchObstacle, firstAppOf, requireNoObstacle } from '#core/device-keys/device-admission.ts';
import { readMobileNumber } from '#core/members/addresses.ts';
import { requireAllowedDomain } from '#core/members/allowed-domain.ts';
import { emailCode } from '#core/members/issue-code.ts';
import {
  checkOneTimeCode,
  hashOneTimeCode,
  issueOneTimeCode,
  readOneTimeCode,
  requireUnderSendLimit,
} from '#core/members/one-time-code.ts';
import { installationSecret } from '#core/sign-in/challenges/exchange-tokens.ts';
import { countFailure, requireNotThrottled, THROTTLES } from '#core/sign-in/throttles.ts';
import type { Deps } from '#deps.ts';
import { successWith } from '#platform/http/answers/answer.ts';
import { type AuditActor, identifyVisitor } from '#platform/http/callers/actors.ts';
import { requireAllowedIp } from '#platform/http/callers/allowed-ip.ts';
import { networkOf } from '#platform/http/callers/network-of.ts';
import { implement } from '#platform/http/implement.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { writeMessage } from '#platform/mails/write-message.ts';
import { Refusal } from '#platform/refusal.ts';

interface DecoySignUp {
  email: string;
  firstName: string;
  mobileNumber: string | null;
  ip: string;
  /** Member with this email address. Undefined if it is only used as a member's primary attribute. */
  owner: memberRepo.MemberRow | undefined;
}

const SUID_BYTES = 16;

/**
 * Handles a sign-up with an email address already in use like any other, and notifies its owner. A code to a mobile
 * number is really sent, because the person signing up may be holding that phone, but the code doesn't verify
 * anything.
 * @returns a suid that looks like a new member's and is the same each time
 * @throws Refusal ORG_EMAIL_LIMIT_REACHED as `issueOneTimeCode`
 */
function signUpAsDecoy(
  deps: Deps,
  tx: Tx,
  orgCode: string,
  { email, firstName, mobileNumber, ip, owner }: DecoySignUp,
): string {
  const { clock, random } = deps;
  const now = clock.now();
  const to = mobileNumber ?? email;
  requireUnderSendLimit(tx, {
    orgCode,
    to,
    now,
    own: decoySignUpRepo.countDecoySignUps(tx, orgCode, { email }, now - HOUR),
  });
  const id = random.id();
  const code = random.digits(LIMITS.oneTimeCodeLength);
  const expiresAt = now + LIMITS.oneTimeCodeLifetimeSeconds * SECOND;
  decoySignUpRepo.insertDecoySignUp(tx, {
    id,
    orgCode,
    email,
    to,
    hash: hashOneTimeCode(id, code),
    issuedAt: now,
    expiresAt,
  });
  if (mobileNumber !== null) {
    const facts = { firstName, code, expiresAt };
    // The message isn't linked to a member and is deleted on expiry. It ignores the owner's language, which would
    // reveal that the owner exists.
    const message = { orgCode, channel: 'text', to, language: null, template: 'one-time-code', facts } as const;
    writeMessage(deps, tx, { ...message, secretFor: id });
  }
  notifyOwner(deps, tx, orgCode, {
    email,
    ip,
    firstName: owner?.firstName ?? firstName,
    language: owner?.language ?? null,
  });
  return createHmac('sha256', installationSecret(deps))
    .update(`sign-up ${orgCode} ${email}`)
    .digest()
    .subarray(0, SUID_BYTES)
    .toString('base64url');
}

/** Notifies the owner of the email address. Limited, so that a stranger can't flood the mailbox. */
function notifyOwner(
  deps: Deps,
  tx: Tx,
  orgCode: string,
  { email, ip, firstName, language }: { email: string; ip: string; firstName: string; language: Language | null },
): void {
  const now = deps.clock.now();
  const notices = { orgCode, kind: 'sign-up-notice' as const, subject: email };
  if (!throttleRepo.recordFailure(tx, notices, THROTTLES['sign-up-notice'], now)) return;
  const facts = { firstName, ip, at: now };
  writeMessage(deps, tx, { orgCode, to: email, language, template: 'sign-up-known', facts });
}

/** Checks a decoy's one-time code. Returns undefined if it is correct. */
function tryDecoy({ clock }: Deps, tx: Tx, orgCode: string, email: string, code: string): ResultName | undefined {
  const decoy = decoySignUpRepo.findDecoySignUp(tx, orgCode, email);
  if (!decoy) return 'INVALID_EMAIL_VERIFICATION';
  const { id, wrongTries, usedAt } = decoy;
  const allowed = { triesAllowed: LIMITS.oneTimeCodeTries, now: clock.now() };
  const tried = decoySignUpRepo.checkDecoySignUp(tx, { id, hash: hashOneTimeCode(id, code) }, allowed);
  if (tried === 'right') return undefined;
  if (tried === 'wrong') return 'OTP_MISMATCH';
  const isSpent = usedAt !== null || wrongTries >= LIMITS.oneTimeCodeTries;
  return isSpent ? 'INVALID_EMAIL_VERIFICATION' : 'OTP_EXPIRED';
}

interface SignUpRequest extends SignupForm {
  orgCode: string;
  actor: AuditActor;
}

/**
 * Creates an unverified member and sends a one-time code, to the mobile number if the form has one. Signing up again
 * before verification replaces the form and sends another code. If the organisation hides existing accounts, an email
 * address already in use gets the same response as a new one (decision 143).
 * @throws Refusal ORG_CODE_NOT_FOUND; IP_NOT_VALID; AUTHENTICATOR_DISALLOWED if the organisation has disabled every
 * app; INVALID_MOBILE_NUMBER if the number isn't a mobile number; INVALID_DOMAIN if the domain isn't allowed;
 * ORG_EMAIL_LIMIT_REACHED if too many codes were sent to this address or number; and unless accounts are hidden,
 * USER_EXISTS for a registered member, EMAIL_EXISTS for a member without a device, PHONE_ALREADY_EXISTS if the number
 * belongs to another member
 */
function signUp(deps: Deps, { actor, orgCode, ...form }: SignUpRequest): { suid: string } {
  const organisation = requireOrganisation(deps.db, orgCode, actor.ip);
  requireNoObstacle(appSwitchObstacle(firstAppOf(organisation), organisation));
  const mobileNumber = readMobileNumber(form.mobileNumber);
  if (mobileNumber === undefined) throw new Refusal('INVALID_MOBILE_NUMBER');
  requireAllowedDomain(form.email, organisation, 'email');
  const person = { ...form, mobileNumber };
  const signing = { ...person, actor: identifyVisitor(actor, orgCode, form.email) };
  const suid = deps.db.transaction((tx) => write(deps, tx, organisation, signing));
  deps.bus.changed(TOPIC.outbox);
  return { suid };
}

/**
 * Returns the organisation if it accepts sign-ups from this IP address.
 * @throws Refusal ORG_CODE_NOT_FOUND if the organisation is unknown; IP_NOT_VALID if the IP address isn't allowed
 */
function requireOrganisation(tx: Tx, orgCode: string, ip: string): organisationRepo.OrganisationRow {
  const organisation = organisationRepo.findOrganisation(tx, orgCode);
  if (!organisation) throw new Refusal('ORG_CODE_NOT_FOUND');
  requireAllowedIp(ip, organisation);
  return organisation;
}

interface Person {
  email: string;
  firstName: string;
  lastName: string;
  mobileNumber: string | null;
}

function write(
  deps: Deps,
  tx: Tx,
  { orgCode, discloseUnknownUsers }: organisationRepo.OrganisationRow,
  { actor, ...person }: Person & { actor: AuditActor },
): string {
  const { email, mobileNumber, ...name } = person;
  const known = memberRepo.findMemberByEmail(tx, orgCode, email);
  const suid = known?.suid ?? deps.random.id();
  if (discloseUnknownUsers) {
    requireNewcomer(known);
    requireFreeNumber(tx, orgCode, { mobileNumber, suid });
  } else if (known ? known.accountStatus !== 'unverified' : signUpRepo.isPrimaryAttrTaken(tx, orgCode, email)) {
    return signUpAsDecoy(deps, tx, orgCode, { ...person, ip: actor.ip, owner: known });
  }
  const member = { suid, orgCode, primaryEmail: email, mobileNumber, ...name };
  if (known) signUpRepo.updateSignUp(tx, orgCode, suid, member);
  else if (!signUpRepo.insertSignUp(tx, { ...member, primaryAttr: email, createdAt: deps.clock.now() })) {
    throw new Refusal('USER_EXISTS');
  }
  const after = { ...name, primaryEmail: email, mobileNumber };
  record(deps, tx, actor, { action: 'member.signed-up', object: memberObject({ suid, ...name }), after });
  sendCode(deps, tx, orgCode, { suid, ...person });
  return suid;
}

/**
 * Throws if another member has the number. Where accounts are hidden, this runs only after the recipient has entered
 * the code.
 */
function requireFreeNumber(
  tx: Tx,
  orgCode: string,
  { mobileNumber, suid }: { mobileNumber: string | null; suid: string },
): void {
  const isTaken = mobileNumber !== null && signUpRepo.isMobileNumberInUse(tx, orgCode, mobileNumber, suid);
  if (isTaken) throw new Refusal('PHONE_ALREADY_EXISTS');
}

/**
 * Throws unless the email address is unknown or unverified. A known member without a device needs an activation code
 * instead, and a registered member doesn't need to sign up.
 */
function requireNewcomer(known: memberRepo.MemberRow | undefined): void {
  if (!known || known.accountStatus === 'unverified') return;
  const isWaiting = known.accountStatus === 'unregistered' || known.accountStatus === 'invited';
  throw new Refusal(isWaiting ? 'EMAIL_EXISTS' : 'USER_EXISTS');
}

function sendCode(
  deps: Deps,
  tx: Tx,
  orgCode: string,
  { suid, email, firstName, mobileNumber }: Person & { suid: string },
): void {
  const to = mobileNumber ?? email;
  const { code, expiresAt } = issueOneTimeCode(deps, tx, { orgCode, suid, to });
  const channel = mobileNumber === null ? 'mail' : 'text';
  const facts = { firstName, code, expiresAt };
  const message = { orgCode, channel, to, language: null, template: 'one-time-code', facts } as const;
  writeMessage(deps, tx, { ...message, secretFor: suid });
}

interface VerifyRequest {
  orgCode: string;
  email: string;
  otp: string;
  actor: AuditActor;
}

/**
 * Verifies a sign-up's one-time code, makes the person a member and emails an activation code.
 * @throws Refusal ORG_CODE_NOT_FOUND; IP_NOT_VALID; BAD_REQUEST (HTTP 429) after too many wrong codes from this
 * network; INVALID_OTP if the code doesn't have six digits; INVALID_EMAIL_VERIFICATION if there is nothing to verify,
 * or after five wrong attempts; OTP_EXPIRED; OTP_MISMATCH; PHONE_ALREADY_EXISTS if the number now belongs to another
 * member; AUTHENTICATOR_DISALLOWED if the organisation has disabled every app
 */
function verifySignUp(deps: Deps, { orgCode, email, otp, actor: visitor }: VerifyRequest): void {
  const organisation = requireOrganisation(deps.db, orgCode, visitor.ip);
  const actor = identifyVisitor(visitor, orgCode, email);
  const code = readOneTimeCode(otp);
  const subject = { orgCode, kind: 'one-time-code' as const, subject: networkOf(actor.ip) };
  const refused = deps.db.transaction((tx): ResultName | undefined => {
    requireNotThrottled(deps, tx, subject);
    const member = memberRepo.findMemberByEmail(tx, orgCode, email);
    const isWaiting = member?.accountStatus === 'unverified';
    const wrong = isWaiting
      ? checkOneTimeCode(deps, tx, { orgCode, suid: member.suid }, code)
      : tryDecoy(deps, tx, orgCode, email, code);
    if (wrong) countFailure(deps, tx, subject);
    else if (isWaiting) admit(deps, tx, { member, actor }, organisation);
    // Return instead of throwing, because the counted attempt must be committed.
    return wrong;
  });
  if (refused) throw new Refusal(refused);
  deps.bus.changed(TOPIC.outbox);
}

/**
 * Marks a sign-up as verified and emails an activation code. The email address counts as verified, too, if the
 * one-time code was sent there.
 */
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
  if (isMailed) record(deps, tx, actor, emailVerifiedEntry({ suid, email: member.primaryEmail }));
  emailCode(deps, tx, { actor, member: admitted, type: firstAppOf(organisation), isOwn: false });
}

/** Serves sign-up without an invitation. */
export function signup(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.signup, ({ body, actor }) => ({
    ...signUp(deps, { ...body, actor }),
    verificationSent: true,
  }));

  implement(app, deps, contract.verifySignup, ({ body, actor }) => {
    verifySignUp(deps, { ...body, actor });
    return successWith('EMAIL_VERIFIED', {});
  });
}
