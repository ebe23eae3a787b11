import { createHash } from 'node:crypto';
import { decoySignUpRepo, oneTimeCodeRepo, type Tx } from '@orchestrate/db';
import { HOUR, LIMITS, type ResultName, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';

/** A code that has been made for a member but not yet sent to `to`. */
export interface IssuedCode {
  code: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/**
 * Issues a one-time code in place of the member's last one. Call it inside a transaction; the caller sends the code to
 * `to`.
 * @throws Refusal ORG_EMAIL_LIMIT_REACHED where this address or number, or this member, has been sent too many in an
 * hour
 */
export function issueOneTimeCode(
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
  tx: Tx,
  { orgCode, suid, to }: { orgCode: string; suid: string; to: string },
): IssuedCode {
  const now = clock.now();
  requireFewSent(tx, { orgCode, to, now, own: oneTimeCodeRepo.countOneTimeCodesOf(tx, orgCode, suid, now - HOUR) });
  const id = random.id();
  const code = random.digits(LIMITS.oneTimeCodeLength);
  const expiresAt = now + LIMITS.oneTimeCodeLifetimeSeconds * SECOND;
  oneTimeCodeRepo.insertOneTimeCode(tx, {
    id,
    orgCode,
    suid,
    to,
    hash: hashOfOneTimeCode(id, code),
    issuedAt: now,
    expiresAt,
  });
  return { code, expiresAt };
}

/**
 * @param own how many codes the person has been sent in an hour, to any address
 * @throws Refusal ORG_EMAIL_LIMIT_REACHED where they, or this address or number, have been sent too many
 */
export function requireFewSent(
  tx: Tx,
  { orgCode, to, now, own }: { orgCode: string; to: string; now: number; own: number },
): void {
  const since = now - HOUR;
  const decoys = decoySignUpRepo.countDecoySignUps(tx, orgCode, { to }, since);
  const sent = Math.max(oneTimeCodeRepo.countOneTimeCodes(tx, orgCode, to, since) + decoys, own);
  if (sent < LIMITS.oneTimeCodesPerHour) return;
  throw new Refusal('ORG_EMAIL_LIMIT_REACHED', { message: 'Too many codes have been sent. Try again in an hour.' });
}

const ONE_TIME_CODE = new RegExp(`^\\d{${LIMITS.oneTimeCodeLength}}$`);

/** Without the spaces and hyphens that people type. @throws Refusal INVALID_OTP unless that leaves six digits */
export function readOneTimeCode(otp: string): string {
  const code = otp.replace(/[\s-]/g, '');
  if (!ONE_TIME_CODE.test(code)) throw new Refusal('INVALID_OTP');
  return code;
}

/**
 * Tries a code against the member's last one, in one statement: the right one is used up, a wrong one is counted.
 * @param to where the code must have been sent; undefined: anywhere
 * @returns what is wrong with the code; undefined for the right one. Not thrown, because the counted attempt must be
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
  const tried = oneTimeCodeRepo.checkOneTimeCode(tx, { id, hash: hashOfOneTimeCode(id, code) }, allowed);
  if (tried === 'right') return undefined;
  if (tried === 'wrong') return 'OTP_MISMATCH';
  const isSpent = usedAt !== null || wrongTries >= LIMITS.oneTimeCodeTries;
  return isSpent ? 'INVALID_EMAIL_VERIFICATION' : 'OTP_EXPIRED';
}

/** The id is the salt: equal codes have different hashes. */
export const hashOfOneTimeCode = (id: string, code: string): string =>
  createHash('sha256').update(`${id} ${code}`).digest('base64url');
