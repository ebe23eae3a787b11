import { challengeRepo, deviceRepo, loginHistoryRepo, memberRepo, pushDenialRepo, type Tx } from '@orchestrate/db';
import { DAY } from '@orchestrate/shared';
import { appSwitchObstacle, requireNone } from '../../core/device-keys/device-admission.ts';
import { announceChallenge } from '../../core/sign-in/announce-challenge.ts';
import { isSignIn, policyOfSignIn } from '../../core/sign-in/login-policy.ts';
import { PORTAL_APP_NAME } from '../../core/sign-in/portal-app-name.ts';
import { reportFraud } from '../../core/sign-in/report-fraud.ts';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/actors.ts';
import { networkOf } from '../../platform/http/network-of.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ProvenDevice } from './device-proof.ts';
import { judge, type Response, type Verdict } from './domain.ts';
import { type AnswerableChallenge, isAnswerable } from './pending-challenge.ts';

/**
 * Takes a device's answer: the request, the sign-in history and the last use of device and person change together.
 * @throws Refusal 56 type switched off; 21 no request for this device; 7 answered before; 10 expired; 22 wrong number,
 * after the request has been denied for it
 */
export function respondToChallenge(
  deps: Deps,
  proven: ProvenDevice,
  { challengeId, ...response }: Response & { challengeId: string },
  actor: AuditActor,
): { endedSignIns?: number } {
  const { device, organisation } = proven;
  requireNone(appSwitchObstacle(device.type, organisation));
  const { verdict, ended } = deps.db.transaction(
    (tx) => {
      const challenge = requireOwnChallenge(tx, proven, challengeId);
      if (isSignIn(challenge)) {
        requireNone(appSwitchObstacle(device.type, policyOfSignIn(tx, organisation, challenge)));
      }
      const judged = judge(challenge, response, deps.clock.now());
      answer(deps, tx, { proven, challenge, verdict: judged });
      const isFraud = judged.reason === 'not-me';
      const { member } = proven;
      return { verdict: judged, ended: isFraud ? reportFraud(deps, tx, { challenge, member, actor }) : [] };
    },
    { behavior: 'immediate' },
  );
  announceChallenge(deps, { id: challengeId, suid: device.suid });
  for (const signIn of ended) announceChallenge(deps, signIn);
  if (verdict.reason === 'not-me') deps.bus.changed(TOPIC.outbox);
  if (verdict.result === 'INVALID_VALIDATION_CODE') throw new Refusal('INVALID_VALIDATION_CODE');
  return verdict.reason === 'not-me' ? { endedSignIns: ended.length } : {};
}

/** A code's request belongs to the device that opened it, a push to all devices of its person. */
function requireOwnChallenge(tx: Tx, { device }: ProvenDevice, id: string): AnswerableChallenge {
  const challenge = challengeRepo.findChallenge(tx, device.orgCode, id);
  if (!challenge || !isAnswerable(challenge) || challenge.kind === 'test') throw new Refusal('ID_DOESNOT_EXIST');
  const isOwn = challenge.mode === 'PUSH' ? challenge.suid === device.suid : challenge.zid === device.zid;
  if (!isOwn) throw new Refusal('ID_DOESNOT_EXIST');
  return challenge;
}

interface Answering {
  proven: ProvenDevice;
  challenge: AnswerableChallenge;
  verdict: Verdict;
}

function answer({ random, clock }: Deps, tx: Tx, { proven: { device }, challenge, verdict }: Answering): void {
  const now = clock.now();
  const { orgCode, zid, suid, name } = device;
  const { status, result } = verdict;
  const taken = { status, resultCode: result, suid, zid, deviceName: name };
  if (!challengeRepo.answerChallenge(tx, orgCode, challenge.id, taken, now)) throw new Refusal('EXPIRED');
  if (challenge.kind === 'verbal') return;
  if (challenge.kind !== 'approval') {
    loginHistoryRepo.insertLoginRecord(tx, {
      id: random.id(),
      orgCode,
      suid,
      zid,
      deviceName: name,
      deviceType: device.type,
      appName: challenge.appName ?? PORTAL_APP_NAME,
      appLoginId: challenge.appLoginId,
      mode: challenge.mode,
      ip: challenge.requesterIp,
      loginStatus: status === 'approved' ? 'Success' : 'Failed',
      reason: verdict.reason,
      timestamp: now,
    });
  }
  if (status === 'denied') {
    if (challenge.mode === 'PUSH') countDenial(tx, challenge, { orgCode, suid, reason: verdict.reason, now });
    return;
  }
  pushDenialRepo.clearPushDenials(tx, orgCode, suid);
  deviceRepo.touchDevice(tx, orgCode, zid, now);
  memberRepo.touchMember(tx, orgCode, suid, now);
}

/** The longer somebody keeps asking, the longer they wait (decision 144). */
function countDenial(
  tx: Tx,
  { requesterIp }: AnswerableChallenge,
  { reason, now, ...person }: { orgCode: string; suid: string; reason: Verdict['reason']; now: number },
): void {
  // A change of mind or a slip of the thumb costs its person no time at first; a stranger's attempt does.
  const atLeast = reason === 'not-me' ? 2 : 1;
  pushDenialRepo.countPushDenial(tx, { ...person, network: networkOf(requesterIp), atLeast, now }, now - DAY);
}
