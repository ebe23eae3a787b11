import {
  challengeRepo,
  deviceRepo,
  loginHistoryRepo,
  memberRepo,
  organisationRepo,
  passkeyRepo,
  pushDenialRepo,
  type Tx,
} from '@orchestrate/db';
import type { PasskeyAssertion, ResultName } from '@orchestrate/shared';
import { relyingPartyOf } from '../../core/device-keys/relying-party.ts';
import { userHandleOf, verifyPasskey } from '../../core/device-keys/verify-passkey.ts';
import { announceChallenge } from '../../core/sign-in/announce-challenge.ts';
import { outcomeOf } from '../../core/sign-in/challenge-outcome.ts';
import { policyOfSignIn } from '../../core/sign-in/login-policy.ts';
import { PORTAL_APP_NAME } from '../../core/sign-in/portal-app-name.ts';
import type { Deps } from '../../deps.ts';
import { requireAllowedIp } from '../../platform/http/allowed-ip.ts';
import { Refusal } from '../../platform/refusal.ts';
import { requireLogin } from './require-login.ts';

export interface PasskeyApproval {
  loginId: string;
  assertion: PasskeyAssertion;
  /** From where the browser answers. */
  ip: string;
}

/**
 * Approves a sign-in with a passkey of its organisation. What has become of the passkey or its owner is told only to whoever
 * can sign with it.
 * @throws Refusal 21 no sign-in by passkey; 10 over or answered before; 69; 31 switched off since; 66 unknown here, removed
 * or lost; 4 not proven, or by a copy, which ends the sign-in; 59 paused; 35 disabled
 */
export async function approveLoginByPasskey(
  deps: Deps,
  { loginId, assertion, ip }: PasskeyApproval,
): Promise<{ deviceName: string }> {
  const { db } = deps;
  const login = requireOpen(deps, loginId, ip);
  const { orgCode } = login;
  const known = passkeyRepo.findPasskey(db, orgCode, assertion.id);
  if (!known) throw new Refusal('DEVICE_NOT_TRUSTED');
  const { passkey, device } = known;
  const proven = await verifyPasskey(assertion, passkey, {
    relyingParty: relyingPartyOf(deps),
    challenge: loginId,
    userHandle: userHandleOf(device.suid),
  });
  const isCopy = db.transaction(
    (tx) => {
      requireStanding(tx, device);
      const hasCountedOn = passkeyRepo.advancePasskey(tx, orgCode, { zid: device.zid, ...proven });
      answer(deps, tx, login, device, hasCountedOn ? APPROVED : COPIED);
      return !hasCountedOn;
    },
    { behavior: 'immediate' },
  );
  announceChallenge(deps, { id: loginId, suid: device.suid });
  // After the commit: that a copy was used stands in the history.
  if (isCopy) throw new Refusal('SIGNATURE_MISMATCH');
  return { deviceName: device.name };
}

function requireOpen(deps: Deps, loginId: string, ip: string): challengeRepo.ChallengeRow {
  const login = requireLogin(deps, loginId);
  if (login.mode !== 'WEBAUTHN') throw new Refusal('ID_DOESNOT_EXIST');
  if (outcomeOf(login, deps.clock.now()) !== 'pending') throw new Refusal('EXPIRED');
  const organisation = organisationRepo.findOrganisation(deps.db, login.orgCode);
  if (!organisation) throw new Refusal('ORG_CODE_NOT_FOUND');
  requireAllowedIp(ip, organisation);
  if (!policyOfSignIn(deps.db, organisation, login).webAuthnEnabled) throw new Refusal('WEBAUTHN_NOT_ENABLED');
  return login;
}

function requireStanding(tx: Tx, { orgCode, suid, zid }: deviceRepo.DeviceRow): void {
  const status = deviceRepo.findDevice(tx, orgCode, zid)?.status;
  if (status === 'paused') throw new Refusal('DEVICE_INACTIVE');
  if (status !== 'active') throw new Refusal('DEVICE_NOT_TRUSTED');
  if (memberRepo.findMember(tx, orgCode, suid)?.accountStatus !== 'active') throw new Refusal('USER_INACTIVE');
}

interface Verdict {
  status: 'approved' | 'denied';
  resultCode: ResultName | null;
  loginStatus: 'Success' | 'Failed';
  /** Why it failed, in the history. */
  reason: string | null;
}

const APPROVED: Verdict = { status: 'approved', resultCode: null, loginStatus: 'Success', reason: null };
/** Two hold the same key: the one that signs now has counted less than the other. */
const COPIED: Verdict = {
  status: 'denied',
  resultCode: 'SIGNATURE_MISMATCH',
  loginStatus: 'Failed',
  reason: 'copied-passkey',
};

function answer(
  { clock, random }: Deps,
  tx: Tx,
  { id, appName, appLoginId, requesterIp: ip }: challengeRepo.ChallengeRow,
  { orgCode, suid, zid, name: deviceName, type: deviceType }: deviceRepo.DeviceRow,
  { status, resultCode, loginStatus, reason }: Verdict,
): void {
  const now = clock.now();
  const given = { status, resultCode, suid, zid, deviceName };
  if (!challengeRepo.answerChallenge(tx, orgCode, id, given, now)) throw new Refusal('EXPIRED');
  loginHistoryRepo.insertLoginRecord(tx, {
    id: random.id(),
    ...{ orgCode, suid, zid, deviceName, deviceType, ip },
    appName: appName ?? PORTAL_APP_NAME,
    appLoginId,
    mode: 'WEBAUTHN',
    ...{ loginStatus, reason },
    timestamp: now,
  });
  if (status === 'denied') return;
  pushDenialRepo.clearPushDenials(tx, orgCode, suid);
  deviceRepo.touchDevice(tx, orgCode, zid, now);
  memberRepo.touchMember(tx, orgCode, suid, now);
}
