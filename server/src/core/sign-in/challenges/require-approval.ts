import type { Tx } from '@orchestrate/db';
import type { ToBeApproved } from '@orchestrate/shared';
import type { Deps } from '../../../deps.ts';
import type { Caller } from '../../../platform/http/callers/caller.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { claimApproval } from './begin-approval.ts';

/**
 * Requires that the caller has just approved this write on a device of their own: exactly this content, once. Call it
 * inside the transaction of the write, so that a failed write does not use up the approval.
 * @throws Refusal AUTHENTICATION_INCOMPLETE without such an approval
 */
export function requireApproval(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  { orgCode, suid }: Pick<Caller, 'orgCode' | 'suid'>,
  { approvalId, ...wanted }: ToBeApproved & { approvalId: string | undefined },
): void {
  const isApproved = approvalId !== undefined && claimApproval(deps, tx, { orgCode, suid, ...wanted }, approvalId);
  if (isApproved) return;
  throw new Refusal('AUTHENTICATION_INCOMPLETE', { message: 'Approve this on your own device first.' });
}
