import { challengeRepo, deviceRepo, loginHistoryRepo, memberRepo, pushDenialRepo, type Tx } from '@orchestrate/db';
import { DAY, type LoginMode } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { networkOf } from '#platform/http/callers/network-of.ts';
import { Refusal } from '#platform/refusal.ts';
import { isSignIn } from '../login-policy.ts';
import { isNew } from '../new-devices.ts';
import type { Verdict } from './judge.ts';

/** The name of the portal itself in the sign-in history. */
export const PORTAL_APP_NAME = 'Portal';

/** The fields of a challenge that settling needs. */
export type SettledChallenge = Pick<
  challengeRepo.NewChallenge,
  'id' | 'kind' | 'mode' | 'appName' | 'appLoginId' | 'requesterIp' | 'browser'
>;

/** The device that answers. */
export type AnsweringDevice = Pick<deviceRepo.DeviceRow, 'orgCode' | 'suid' | 'zid' | 'name' | 'type' | 'approvesFrom'>;

/**
 * Writes the answer to a challenge and everything that follows from it: the login history of a sign-in, the last use of
 * the device and its owner, and how long a denied push makes its requester wait (decision 144); a new device changes
 * no such wait. Call it inside the
 * transaction that judged the answer, and `announceChallenge` after it.
 * @throws Refusal EXPIRED already answered, or too late
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
  // It identifies a caller; it isn't a sign-in of theirs.
  if (challenge.kind === 'verbal') return;
  if (isSignIn(challenge)) writeLogin(deps, tx, { challenge, device, reason });
  if (status === 'denied') {
    // A thief could add a device and deny what its owner asks for.
    if (challenge.mode === 'PUSH' && !isNew(device, now)) countDenial(tx, challenge, { orgCode, suid, reason, now });
    return;
  }
  // A remembered browser answers automatically: its person has not approved anything just now.
  if (challenge.mode !== 'COOKIE' && !isNew(device, now)) pushDenialRepo.clearPushDenials(tx, orgCode, suid);
  noteUse(tx, device, now);
}

/**
 * Writes the answer to a device test or to adding a device. Neither is a sign-in, and the request stays with the person
 * who made it.
 * @throws Refusal EXPIRED already answered, or too late
 */
export function settleDeviceRequest(
  { clock }: Deps,
  tx: Tx,
  { orgCode, id }: Pick<challengeRepo.ChallengeRow, 'orgCode' | 'id'>,
  answer: Omit<challengeRepo.Answer, 'suid'>,
): challengeRepo.ChallengeRow {
  const settled = challengeRepo.answerChallenge(tx, orgCode, id, answer, clock.now());
  if (!settled) throw new Refusal('EXPIRED');
  return settled;
}

/** Writes the login history of a sign-in without a challenge, and the last use of its person. */
export function settleExternal(deps: Deps, tx: Tx, { orgCode, suid }: memberRepo.MemberRow, ip: string): void {
  const device = { orgCode, suid, zid: null, name: '–', type: null };
  writeLogin(deps, tx, { challenge: { mode: 'OIDC', requesterIp: ip }, device, reason: null });
  noteUse(tx, device, deps.clock.now());
}

type NoDevice = Record<'orgCode' | 'suid' | 'name', string> & Record<'zid' | 'type', null>;

interface Login {
  challenge: Pick<SettledChallenge, 'requesterIp' | 'appName' | 'appLoginId'> & { mode: LoginMode | 'OIDC' };
  device: AnsweringDevice | NoDevice;
  /** Null where it succeeded. */
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

/** The longer somebody keeps asking, the longer they must wait. */
function countDenial(
  tx: Tx,
  { requesterIp, browser = null }: SettledChallenge,
  { reason, now, ...person }: { orgCode: string; suid: string; reason: Verdict['reason']; now: number },
): void {
  // A change of mind or a slip of the thumb costs no time at first; a stranger's attempt does.
  const atLeast = reason === 'not-me' ? 2 : 1;
  pushDenialRepo.countPushDenial(tx, { ...person, network: networkOf(requesterIp), browser, atLeast, now }, now - DAY);
}
