import { createHash } from 'node:crypto';
import { decoySignUpRepo, oneTimeCodeRepo, type Tx } from '@orchestrate/db';
import { HOUR, LIMITS, type ResultName, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';

/** A new one-time code for a member, not yet sent to `to`. */
export interface IssuedCode {
  code: string;
  /** Expiry of the code, in milliseconds since the epoch. */
  expiresAt: number;
}

/**
 * Issues a one-time code, which replaces the member's last code. Call it in a transaction, and then send the code to
 * `to`.
 * @throws Refusal ORG_EMAIL_LIMIT_REACHED if too many codes were sent to this address or number, or to this member,
 * within an hour
 */
export function issueOneTimeCode(
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
  tx: Tx,
  { orgCode, suid, to }: { orgCode: string; suid: string; to: string },
): IssuedCode {
  const now = clock.now();
  requireUnderSendLimit(tx, {
    orgCode,
    to,
    now,
    own: oneTimeCodeRepo.countOneTimeCodesByMember(tx, orgCode, suid, now - HOUR),
  });
  const id = random.id();
  const code = random.digits(LIMITS.oneTimeCodeLength);
  const expiresAt = now + LIMITS.oneTimeCodeLifetimeSeconds * SECOND;
  oneTimeCodeRepo.insertOneTimeCode(tx, {
    id,
    orgCode,
    suid,
    to,
    hash: hashOneTimeCode(id, code),
    issuedAt: now,
    expiresAt,
  });
  return { code, expiresAt };
}

/**
 * Enforces the hourly limit on codes.
 * @param own number of codes sent to the member within an hour, to any address
 * @throws Refusal ORG_EMAIL_LIMIT_REACHED if too many codes were sent to the member, or to this address or number
 */
export function requireUnderSendLimit(
  tx: Tx,
  { orgCode, to, now, own }: { orgCode: string; to: string; now: number; own: number },
): void {
  const since = now - HOUR;
  const decoys = decoySignUpRepo.countDecoySignUps(tx, orgCode, { to }, since);
  const sent = Math.max(oneTimeCodeRepo.countOneTimeCodes(tx, orgCode, to, since) + decoys, own);
  if (sent < LIMITS.oneTimeCodesPerHour) return;
  throw new Refusal('ORG_EMAIL_LIMIT_REACHED', { message: 'Too many codes were sent. Try again in an hour.' });
}

const ONE_TIME_CODE = new RegExp(`^\\d{${LIMITS.oneTimeCodeLength}}$`);

/** Removes spaces and hyphens from a typed code. @throws Refusal INVALID_OTP unless six digits remain */
export function readOneTimeCode(otp: string): string {
  const code = otp.replace(/[\s-]/g, '');
  if (!ONE_TIME_CODE.test(code)) throw new Refusal('INVALID_OTP');
  return code;
}

/**
 * Checks a code against the last one issued to the member, in one statement. A correct code is used up, and a wrong
 * code counts as an attempt.
 * @param to the address that the code must have been sent to; undefined accepts any address
 * @returns the error; undefined if the code is correct. The error isn't thrown, because the counted attempt must be
 * committed
 */
export function checkOneTimeCode(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  { orgCode, suid, to }: { orgCode: string; suid: string; to?: string },
  code: string,
): ResultName | undefined {
  const issued = oneTimeCodeRepo.findOneTimeCode(tx, orgCode, suid);
  if (!issued || (to !== undefined && issued.to !== to)) return 'INVALID_EMAIL_VERIFICATION';
  const { id, wrongTries, usedAt } = issued;
  const allowed = { triesAllowed: LIMITS.oneTimeCodeTries, now: clock.now() };
  const tried = oneTimeCodeRepo.checkOneTimeCode(tx, { id, hash: hashOneTimeCode(id, code) }, allowed);
  if (tried === 'right') return undefined;
  if (tried === 'wrong') return 'OTP_MISMATCH';
  const isSpent = usedAt !== null || wrongTries >= LIMITS.oneTimeCodeTries;
  return isSpent ? 'INVALID_EMAIL_VERIFICATION' : 'OTP_EXPIRED';
}

/** Hashes a code, salted with its ID, so that equal codes have different hashes. */
export const hashOneTimeCode = (id: string, code: string): string =>
  createHash('sha256').update(`${id} ${code}`).digest('base64url');
