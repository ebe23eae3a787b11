import type { memberRepo } from '@orchestrate/db';
import type { ActivationData, AppType } from '@orchestrate/shared';
import {
  isApprovedByDevice,
  requireBoundDevice,
  requireDeviceToManage,
  requireOlderDevice,
} from '../../core/device-keys/require-bound-device.ts';
import { activationDataOf } from '../../core/members/activation-data.ts';
import { mailCode } from '../../core/members/issue-code.ts';
import { NEW_DEVICE_MS } from '../../core/sign-in/new-devices.ts';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import type { Caller } from '../../platform/http/callers/caller.ts';
import { changeDeviceStatus } from './change-device-status.ts';

/**
 * Reports a device lost and mails its owner the code for the next one, both or neither. In a session of the owner that
 * no device approved, the code is only mailed, to an address that has been theirs for a day (decision 206).
 * @throws Refusal as `requireOlderDevice`; as `requireBoundDevice`, for another address; as `changeDeviceStatus` and `mailCode`
 */
export function replaceDevice(
  deps: Deps,
  parties: { caller: Caller; actor: AuditActor; target: memberRepo.MemberRow },
  { zid, type }: { zid: string; type: AppType },
): ActivationData {
  const { caller, actor, target: member } = parties;
  const now = deps.clock.now();
  const isOwn = caller.suid === member.suid;
  requireOlderDevice(deps, deps.db, caller, { suid: member.suid, zid, action: 'replace' });
  if (!isOwn) requireDeviceToManage(deps, deps.db, caller, member);
  const isShown = !isOwn || isApprovedByDevice(caller);
  if (!isShown && !isSettled(member, now)) requireBoundDevice(deps, deps.db, caller, undefined);
  const mailed = changeDeviceStatus(deps, parties, { action: 'lose', zid }, (tx) =>
    mailCode(deps, tx, { actor, member, type, isOwn }),
  );
  return activationDataOf(mailed?.code, now, isShown);
}

/** Whether the address was verified long enough ago that its owner would have noticed a change. */
const isSettled = ({ emailVerifiedAt }: memberRepo.MemberRow, now: number): boolean =>
  emailVerifiedAt !== null && emailVerifiedAt <= now - NEW_DEVICE_MS;
