import { memberRepo } from '@orchestrate/db';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../platform/refusal.ts';

/**
 * Requires that the e-mail address a caller names beside a member is not somebody else's: otherwise a code meant for
 * one person would go to another. An address that nobody has is merely out of date, and changes nothing.
 * @throws Refusal EMAIL_OR_CODE_MISMATCH
 */
export function requireBelonging({ db }: Deps, { orgCode, suid }: memberRepo.MemberRow, email?: string): void {
  const owner = email === undefined ? undefined : memberRepo.findMemberByEmail(db, orgCode, email);
  if (owner && owner.suid !== suid) throw new Refusal('EMAIL_OR_CODE_MISMATCH');
}
