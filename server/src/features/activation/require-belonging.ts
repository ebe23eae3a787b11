import type { memberRepo } from '@orchestrate/db';
import { Refusal } from '../../platform/refusal.ts';

/**
 * Requires that the email address a caller names beside a member is the member's: otherwise a code meant for one
 * person would go to another, or to an address that is out of date.
 * @throws Refusal EMAIL_OR_CODE_MISMATCH
 */
export function requireBelonging({ primaryEmail }: memberRepo.MemberRow, email: string): void {
  if (primaryEmail.toLowerCase() !== email) throw new Refusal('EMAIL_OR_CODE_MISMATCH');
}
