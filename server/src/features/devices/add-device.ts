import { challengeRepo, type memberRepo, organisationRepo } from '@orchestrate/db';
import { type AppType, type CodeKind, LIMITS } from '@orchestrate/shared';
import { deviceObstacle, requireNone } from '../../core/device-keys/device-admission.ts';
import { ownDesktopCode } from '../../core/members/issue-code.ts';
import { announceChallenge } from '../../core/sign-in/challenges/announce-challenge.ts';
import { beginChallenge, type Requester } from '../../core/sign-in/challenges/begin.ts';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../platform/refusal.ts';

export interface AddDeviceRequest {
  member: memberRepo.MemberRow;
  /** How the code reaches the device: scanned or typed. */
  type: CodeKind;
  mode: AppType;
  requester: Requester;
}

/**
 * A fresh add-device code in place of the person's last one of the same type.
 * @throws Refusal MOBILE_APP_NOT_ENABLED, DESKTOP_APP_NOT_ENABLED the person may not use this app;
 * AUTHENTICATOR_DISALLOWED switched off; DEVICE_ADD_LIMIT_REACHED the device limit
 */
export function beginAddDevice(deps: Deps, { member, type, mode, requester }: AddDeviceRequest) {
  const { db, clock } = deps;
  const { orgCode, suid } = member;
  const begun = db.transaction((tx) => {
    const organisation = organisationRepo.findOrganisation(tx, orgCode);
    if (!organisation) throw new Refusal('ID_DOESNOT_EXIST');
    requireNone(deviceObstacle(tx, { organisation, member, type: mode }));
    const last = { suid, kind: 'add-device' as const, mode: type };
    const cancelled = challengeRepo.cancelChallenges(tx, orgCode, last, { resultCode: 'EXPIRED', now: clock.now() });
    const challenge = beginChallenge(deps, tx, {
      orgCode,
      suid,
      kind: 'add-device',
      mode: type,
      codes: [type],
      appType: mode,
      lifetimeSeconds: LIMITS.addDeviceConfirmSeconds,
      requester,
    });
    return { cancelled, aid: challenge.qid ?? challenge.did ?? '' };
  });
  for (const id of begun.cancelled) announceChallenge(deps, { id });
  return {
    aid: begun.aid,
    confirmExpDur: LIMITS.addDeviceConfirmSeconds,
    verifyExpDur: LIMITS.addDeviceVerifySeconds,
    activationCode: mode === 'desktop' ? validDesktopCode(deps, member) : undefined,
  };
}

function validDesktopCode(deps: Deps, member: memberRepo.MemberRow): string | undefined {
  const { activationCode, activationExpired, activationLocked } = ownDesktopCode(deps, member);
  return activationExpired || activationLocked ? undefined : activationCode;
}
