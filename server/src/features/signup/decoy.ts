import { createHmac } from 'node:crypto';
import { decoySignUpRepo, failureBudgetRepo, type memberRepo, type Tx } from '@orchestrate/db';
import { HOUR, type Language, LIMITS, type ResultName, SECOND } from '@orchestrate/shared';
import { hashOfOneTimeCode, requireFewSent } from '../../core/members/one-time-code.ts';
import { BUDGETS } from '../../core/sign-in/budgets.ts';
import { installationSecret } from '../../core/sign-in/installation-secret.ts';
import type { Deps } from '../../deps.ts';
import { writeMessage } from '../../platform/mails/write-message.ts';

export interface DecoySignUp {
  email: string;
  firstName: string;
  mobileNumber: string | null;
  /** The IP address of the caller. */
  ip: string;
  /** The owner of the address; undefined if it is only somebody's primary attribute. */
  owner: memberRepo.MemberRow | undefined;
}

const SUID_BYTES = 16;

/**
 * Answers a sign-up with an address already in use like any other, and tells the owner of the address. A code to a
 * mobile number is really sent, because the caller may be looking at that phone; it opens nothing.
 * @returns a suid like that of a newcomer, the same each time
 * @throws Refusal ORG_EMAIL_LIMIT_REACHED as `issueOneTimeCode`
 */
export function signUpAsDecoy(
  deps: Deps,
  tx: Tx,
  orgCode: string,
  { email, firstName, mobileNumber, ip, owner }: DecoySignUp,
): string {
  const { clock, random } = deps;
  const now = clock.now();
  const to = mobileNumber ?? email;
  requireFewSent(tx, {
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
    hash: hashOfOneTimeCode(id, code),
    issuedAt: now,
    expiresAt,
  });
  if (mobileNumber !== null) {
    const facts = { firstName, code, expiresAt };
    // It belongs to nobody, and is forgotten when it expires. Its language is that of a newcomer's: the owner's own
    // would tell the caller that there is one.
    const message = { orgCode, channel: 'text', to, language: null, template: 'one-time-code', facts } as const;
    writeMessage(deps, tx, { ...message, secretFor: id });
  }
  tellOwner(deps, tx, orgCode, {
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

/** Not on every attempt: a stranger must not be able to fill somebody's mailbox. */
function tellOwner(
  deps: Deps,
  tx: Tx,
  orgCode: string,
  { email, ip, firstName, language }: { email: string; ip: string; firstName: string; language: Language | null },
): void {
  const now = deps.clock.now();
  const notices = { orgCode, kind: 'sign-up-notice' as const, subject: email };
  if (!failureBudgetRepo.spendFailure(tx, notices, BUDGETS['sign-up-notice'], now)) return;
  const facts = { firstName, ip, at: now };
  writeMessage(deps, tx, { orgCode, to: email, language, template: 'sign-up-known', facts });
}

/** Tries a one-time code for which nobody waits; undefined for the right code of a decoy. */
export function tryDecoy(
  { clock }: Deps,
  tx: Tx,
  orgCode: string,
  email: string,
  code: string,
): ResultName | undefined {
  const decoy = decoySignUpRepo.findDecoySignUp(tx, orgCode, email);
  if (!decoy) return 'INVALID_EMAIL_VERIFICATION';
  const { id, wrongTries, usedAt } = decoy;
  const allowed = { triesAllowed: LIMITS.oneTimeCodeTries, now: clock.now() };
  const tried = decoySignUpRepo.tryDecoySignUp(tx, { id, hash: hashOfOneTimeCode(id, code) }, allowed);
  if (tried === 'right') return undefined;
  if (tried === 'wrong') return 'OTP_MISMATCH';
  const isSpent = usedAt !== null || wrongTries >= LIMITS.oneTimeCodeTries;
  return isSpent ? 'INVALID_EMAIL_VERIFICATION' : 'OTP_EXPIRED';
}
