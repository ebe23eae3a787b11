import type { memberRepo } from '@orchestrate/db';
import type { ActivationData, AppType } from '@orchestrate/shared';
import { activationDataOf } from '../../core/members/activation-data.ts';
import { mailCode } from '../../core/members/issue-code.ts';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import type { Caller } from '../../platform/http/callers/caller.ts';
import { changeDeviceStatus } from './change-device-status.ts';

/**
 * Reports a device lost and mails its owner the code for the next one, both or neither.
 * @throws Refusal as `changeDeviceStatus` and `mailCode`
 */
export function replaceDevice(
  deps: Deps,
  parties: { caller: Caller; actor: AuditActor; target: memberRepo.MemberRow },
  { zid, type }: { zid: string; type: AppType },
): ActivationData {
  const { actor, target: member } = parties;
  const mailed = changeDeviceStatus(deps, parties, { action: 'lose', zid }, (tx) =>
    mailCode(deps, tx, { actor, member, type }),
  );
  return activationDataOf(mailed?.code, deps.clock.now(), true);
}
