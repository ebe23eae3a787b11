import { challengeRepo, type Tx } from '@orchestrate/db';
import { fullNameOf } from '@orchestrate/shared';
import { settleConfirmation } from '../../core/device-keys/confirm-device.ts';
import { appSwitchObstacle, requireNone } from '../../core/device-keys/device-admission.ts';
import { announceEndedUse } from '../../core/device-keys/end-use.ts';
import { announceChallenge } from '../../core/sign-in/challenges/announce-challenge.ts';
import { judge, type Response } from '../../core/sign-in/challenges/judge.ts';
import { reportFraud } from '../../core/sign-in/challenges/report-fraud.ts';
import { settle } from '../../core/sign-in/challenges/settle.ts';
import { isSignIn, policyOfSignIn, requireSignInMethod, WAY_OF } from '../../core/sign-in/login-policy.ts';
import { isNew, requireConfirmed } from '../../core/sign-in/new-devices.ts';
import type { Deps } from '../../deps.ts';
import { type AuditActor, deviceActor } from '../../platform/http/callers/actors.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ProvenDevice } from './device-proof.ts';
import { type AnswerableChallenge, isAnswerable } from './pending-challenge.ts';

/**
 * Takes a device's answer: updates the request, the sign-in history and the last use of device and person together.
 * @throws Refusal AUTHENTICATOR_DISALLOWED; ID_DOESNOT_EXIST no request for this device; FAILED answered before;
 * EXPIRED; AUTHENTICATION_INCOMPLETE a new device; INVALID_VALIDATION_CODE wrong number, after the request has been denied for it
 */
export function respondToChallenge(
  deps: Deps,
  proven: ProvenDevice,
  { challengeId, ...response }: Response & { challengeId: string },
  actor: AuditActor,
): { endedSignIns?: number } {
  const { device, organisation } = proven;
  requireNone(appSwitchObstacle(device.type, organisation));
  const { verdict, removed, ended } = deps.db.transaction((tx) => {
    const challenge = requireOwnChallenge(tx, proven, challengeId);
    if (isSignIn(challenge)) {
      requireSignInMethod(policyOfSignIn(tx, organisation, challenge), WAY_OF[device.type]);
    }
    if (!isSignIn(challenge)) requireConfirmed(device, deps.clock.now());
    const judged = judge(challenge, response, deps.clock.now());
    settle(deps, tx, challenge, device, judged);
    // A new device may deny its own sign-in, but ends no others and alerts nobody: a thief may have added it.
    const isFraud = judged.reason === 'not-me' && !isNew(device, deps.clock.now());
    const { member } = proven;
    const { orgCode, suid } = member;
    const person = deviceActor(actor, { orgCode, suid, name: fullNameOf(member) });
    return {
      verdict: judged,
      removed: settleConfirmation(deps, tx, challenge, judged, person),
      ended: isFraud ? reportFraud(deps, tx, { challenge, member, actor }) : [],
    };
  });
  if (removed) announceEndedUse(deps, removed, device.suid);
  announceChallenge(deps, { id: challengeId, suid: device.suid });
  for (const signIn of ended) announceChallenge(deps, signIn);
  if (verdict.reason === 'not-me') deps.bus.changed(TOPIC.outbox);
  if (verdict.result === 'INVALID_VALIDATION_CODE') throw new Refusal('INVALID_VALIDATION_CODE');
  return verdict.reason === 'not-me' ? { endedSignIns: ended.length } : {};
}

/** A request opened by code belongs to the device that opened it; a push belongs to all devices of its person. */
function requireOwnChallenge(tx: Tx, { device }: ProvenDevice, id: string): AnswerableChallenge {
  const challenge = challengeRepo.findChallenge(tx, device.orgCode, id);
  if (!challenge || !isAnswerable(challenge) || challenge.kind === 'test') throw new Refusal('ID_DOESNOT_EXIST');
  const isOwn = challenge.mode === 'PUSH' ? challenge.suid === device.suid : challenge.zid === device.zid;
  if (!isOwn) throw new Refusal('ID_DOESNOT_EXIST');
  return challenge;
}
