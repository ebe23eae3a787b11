import { challengeRepo, deviceRepo, loginHistoryRepo, memberRepo, pushDenialRepo, type Tx } from '@orchestrate/db';
import { DAY, type LoginMode } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { networkOf } from '#platform/http/callers/network-of.ts';
import { Refusal } from '#platform/refusal.ts';
import { isSignIn } from '../login-policy.ts';
import { isNewDevice } from '../new-devices.ts';
import type { Verdict } from './judge.ts';

/** Name of the portal in the login history. */
export const PORTAL_APP_NAME = 'Portal';

/** The fields needed to settle a challenge. */
export type SettledChallenge = Pick<
  challengeRepo.NewChallenge,
  'id' | 'kind' | 'mode' | 'appName' | 'appLoginId' | 'requesterIp' | 'browser'
>;

/** The device that answers a challenge. */
export type AnsweringDevice = Pick<deviceRepo.DeviceRow, 'orgCode' | 'suid' | 'zid' | 'name' | 'type' | 'approvesFrom'>;

/**
 * Stores the answer to a challenge and its effects: the login history of a sign-in, the last use of the device and
 * its owner, and the pause after a denied push (decision 144), which answers from a new device don't change. Call it
 * in the transaction that judged the answer, and `announceChallenge` after the commit.
 * @throws Refusal EXPIRED if the challenge was answered before or too late
 */
export function settle(
  deps: Deps,
  tx: Tx,
  challenge: SettledChallenge,
  device: AnsweringDevice,
  { status, result, reason }: Verdict,
): void {
  const now = deps.clock.now();
  const { orgCode, suid, zid, name } = device;
  const answer = { status, resultCode: result, suid, zid, deviceName: name };
  if (!challengeRepo.answerChallenge(tx, orgCode, challenge.id, answer, now)) throw new Refusal('EXPIRED');
  // Caller verifications aren't sign-ins, so the effects below don't apply to them.
  if (challenge.kind === 'verbal') return;
  if (isSignIn(challenge)) writeLogin(deps, tx, { challenge, device, reason });
  if (status === 'denied') {
    // Ignore denials by new devices: a thief could add one and deny the owner's requests.
    if (challenge.mode === 'PUSH' && !isNewDevice(device, now))
      countDenial(tx, challenge, { orgCode, suid, reason, now });
    return;
  }
  // An approval ends the pause, but remembered browsers answer automatically, without the member's approval.
  if (challenge.mode !== 'COOKIE' && !isNewDevice(device, now)) pushDenialRepo.clearPushDenials(tx, orgCode, suid);
  noteUse(tx, device, now);
}

/**
 * Stores the answer to a device test or a request to add a device. Neither is a sign-in, and the request keeps its
 * requester's `suid`.
 * @throws Refusal EXPIRED if the request was answered before or too late
 */
export function settleDeviceRequest(
  { clock }: Deps,
  tx: Tx,
  { orgCode, id }: Pick<challengeRepo.ChallengeRow, 'orgCode' | 'id'>,
  answer: Omit<challengeRepo.ChallengeAnswer, 'suid'>,
): challengeRepo.ChallengeRow {
  const isSettled = challengeRepo.answerChallenge(tx, orgCode, id, answer, clock.now());
  const settled = isSettled && challengeRepo.findChallenge(tx, orgCode, id);
  if (!settled) throw new Refusal('EXPIRED');
  return settled;
}

/** Records a sign-in without a challenge in the login history and as the member's last use. */
export function recordExternalSignIn(deps: Deps, tx: Tx, { orgCode, suid }: memberRepo.MemberRow, ip: string): void {
  const device = { orgCode, suid, zid: null, name: '–', type: null };
  writeLogin(deps, tx, { challenge: { mode: 'OIDC', requesterIp: ip }, device, reason: null });
  noteUse(tx, device, deps.clock.now());
}

type NoDevice = Record<'orgCode' | 'suid' | 'name', string> & Record<'zid' | 'type', null>;

interface Login {
  challenge: Pick<SettledChallenge, 'requesterIp' | 'appName' | 'appLoginId'> & { mode: LoginMode | 'OIDC' };
  device: AnsweringDevice | NoDevice;
  /** Null if the sign-in succeeded. */
  reason: Verdict['reason'];
}

function writeLogin({ random, clock }: Deps, tx: Tx, { challenge, device, reason }: Login): void {
  const { orgCode, suid, zid, name, type } = device;
  loginHistoryRepo.insertLoginRecord(tx, {
    id: random.id(),
    orgCode,
    suid,
    zid,
    deviceName: name,
    deviceType: type,
    appName: challenge.appName ?? PORTAL_APP_NAME,
    appLoginId: challenge.appLoginId ?? null,
    mode: challenge.mode,
    ip: challenge.requesterIp,
    loginStatus: reason === null ? 'Success' : 'Failed',
    reason,
    timestamp: clock.now(),
  });
}

function noteUse(
  tx: Tx,
  { orgCode, suid, zid }: Record<'orgCode' | 'suid', string> & { zid: string | null },
  now: number,
): void {
  if (zid !== null) deviceRepo.touchDevice(tx, orgCode, zid, now);
  memberRepo.touchMember(tx, orgCode, suid, now);
}

/** Counts a denial, which can lengthen the pause before the next request. */
function countDenial(
  tx: Tx,
  { requesterIp, browser = null }: SettledChallenge,
  { reason, now, ...person }: { orgCode: string; suid: string; reason: Verdict['reason']; now: number },
): void {
  // The first denial may be accidental and causes no pause. A fraud report does.
  const atLeast = reason === 'not-me' ? 2 : 1;
  pushDenialRepo.countPushDenial(tx, { ...person, network: networkOf(requesterIp), browser, atLeast, now }, now - DAY);
}
