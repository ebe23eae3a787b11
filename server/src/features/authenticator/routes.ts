import { challengeRepo, memberRepo, organisationRepo, roleRepo, type Tx } from '@orchestrate/db';
import {
  authenticatorLive,
  contract,
  deviceClaims,
  fullNameOf,
  type PendingChallenge,
  type Profile,
  pairStatusClaims,
  type ResultName,
  resolveClaims,
  respondClaims,
  visibleText,
} from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { confirmationOf, settleConfirmation } from '#core/device-keys/confirm-device.ts';
import { appSwitchObstacle, requireNoObstacle } from '#core/device-keys/device-admission.ts';
import { announceEndedUse } from '#core/device-keys/end-use.ts';
import { announceChallenge, outcomeOf } from '#core/sign-in/challenges/challenge.ts';
import { readTypedCode } from '#core/sign-in/challenges/codes.ts';
import { type DeviceAnswer, judge } from '#core/sign-in/challenges/judge.ts';
import { reportFraud } from '#core/sign-in/challenges/report-fraud.ts';
import { settle, settleDeviceRequest } from '#core/sign-in/challenges/settle.ts';
import {
  isSignIn,
  type LoginPolicy,
  METHOD_BY_DEVICE_TYPE,
  policyOfSignIn,
  requireSignInMethod,
} from '#core/sign-in/login-policy.ts';
import { isNewDevice, requireConfirmedDevice } from '#core/sign-in/new-devices.ts';
import { profileOf } from '#core/sign-in/profile-of.ts';
import { countFailure, requireNotThrottled } from '#core/sign-in/throttles.ts';
import type { Deps } from '#deps.ts';
import { type Answer, successWith } from '#platform/http/answers/answer.ts';
import { type AuditActor, deviceActor } from '#platform/http/callers/actors.ts';
import { effectivePermissions } from '#platform/http/callers/caller.ts';
import { implement } from '#platform/http/implement.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { serveChannel } from '#platform/live/serve-channel.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';
import { activateDevice } from './activate-device.ts';
import { verifyDeviceJws } from './device-jws.ts';
import { type ProvenDevice, requireActingDevice, requireDevice, requireFreshClaims } from './device-proof.ts';
import { pairDevice } from './pair-device.ts';

type AnswerableChallenge = challengeRepo.ChallengeRow & { kind: PendingChallenge['kind'] };

/** Returns true if a device can answer the request. Adding a device is confirmed in the portal instead. */
const isAnswerable = (challenge: challengeRepo.ChallengeRow): challenge is AnswerableChallenge =>
  challenge.kind !== 'add-device';

/** Returns a request in the form that devices display. */
function pendingChallengeOf(
  challenge: AnswerableChallenge,
  { orgCode, name, appLockEnabled }: organisationRepo.OrganisationRow,
): PendingChallenge {
  return {
    challengeId: challenge.id,
    kind: challenge.kind,
    orgCode,
    orgName: visibleText(name),
    appName: seen(challenge.appName),
    action: challenge.action ?? undefined,
    statement: seen(challenge.statement),
    requester: {
      ip: challenge.requesterIp,
      userAgent: visibleText(challenge.requesterAgent),
      fullName: seen(challenge.requesterName),
    },
    numberChoices: challenge.numberChoices ?? undefined,
    appLock: appLockEnabled,
    requestedAt: isoOf(challenge.createdAt),
    expiresAt: isoOf(challenge.expiresAt),
  };
}

/**
 * Replaces hidden characters, which older requests can contain, with their code points, because people decide based
 * on this text.
 */
const seen = (text: string | null): string | undefined => (text === null ? undefined : visibleText(text));

/**
 * Opens the request for a scanned or typed code and reserves it for this device. If the request is a device test,
 * completes the test.
 * @throws Refusal BAD_REQUEST (HTTP 429) if this device has typed too many unknown codes; AUTHENTICATOR_DISALLOWED;
 * DID_NOT_ENABLED; DESKTOP_DOES_NOT_SUPPORT_DID; EXPIRED if the code is unknown, from another organisation, used,
 * expired, or opened by another device; AUTHENTICATION_INCOMPLETE if the code verifies a caller and the device is new
 */
function resolveCode(deps: Deps, proven: ProvenDevice, code: string): AnswerableChallenge {
  const { device, organisation } = proven;
  requireNoObstacle(appSwitchObstacle(device.type, organisation));
  const typed = readTypedCode(code);
  if (typed !== null && !organisation.didEnabled) throw new Refusal('DID_NOT_ENABLED');
  const { orgCode } = organisation;
  const now = deps.clock.now();
  const subject = { orgCode, kind: 'typed-code' as const, subject: device.zid };
  if (typed !== null) requireNotThrottled(deps, deps.db, subject);
  const found =
    typed === null
      ? challengeRepo.findChallengeByQid(deps.db, orgCode, code)
      : challengeRepo.findChallengeByDid(deps.db, orgCode, typed);
  if (!found && typed !== null) countFailure(deps, deps.db, subject);
  if (!found || !isAnswerable(found) || outcomeOf(found, now) !== 'pending') throw new Refusal('EXPIRED');
  if (isSignIn(found)) requireAllowedMethod(proven, policyOfSignIn(deps.db, organisation, found), typed !== null);
  // The agent relies on this approval as proof of the caller's identity.
  if (found.kind === 'verbal') requireConfirmedDevice(device, now);
  const opened = found.kind === 'test' ? completeTest(deps, proven, found) : open(deps, proven, found);
  if (!opened || !isAnswerable(opened)) throw new Refusal('EXPIRED');
  announceChallenge(deps, opened);
  return opened;
}

/** Requires the organisation and the application to allow this sign-in method. Codes can't be typed on a computer. */
function requireAllowedMethod({ device }: ProvenDevice, policy: LoginPolicy, isTyped: boolean): void {
  requireSignInMethod(policy, METHOD_BY_DEVICE_TYPE[device.type]);
  if (isTyped) requireSignInMethod(policy, 'didEnabled');
  if (isTyped && device.type === 'desktop') throw new Refusal('DESKTOP_DOES_NOT_SUPPORT_DID');
}

function open({ db, clock }: Deps, { device }: ProvenDevice, { orgCode, id }: AnswerableChallenge) {
  const { suid, zid, name } = device;
  const isOpened = challengeRepo.claimChallengeForDevice(db, orgCode, id, { suid, zid, deviceName: name }, clock.now());
  return isOpened ? challengeRepo.findChallenge(db, orgCode, id) : undefined;
}

/** Any device in the organisation can complete a test, even another member's. */
function completeTest(deps: Deps, { device: { zid, name } }: ProvenDevice, test: AnswerableChallenge) {
  return settleDeviceRequest(deps, deps.db, test, { status: 'approved', resultCode: null, zid, deviceName: name });
}

/**
 * Records a device's answer in the request and the sign-in history, and updates when the device and member were last
 * used, in one transaction.
 * @throws Refusal AUTHENTICATOR_DISALLOWED; ID_DOESNOT_EXIST if there is no request for this device; FAILED if it was
 * answered before; EXPIRED; AUTHENTICATION_INCOMPLETE if the device is new; INVALID_VALIDATION_CODE if the number is
 * wrong, which denies the request
 */
function respondToChallenge(
  deps: Deps,
  proven: ProvenDevice,
  { challengeId, ...response }: DeviceAnswer & { challengeId: string },
  actor: AuditActor,
): { endedSignIns?: number } {
  const { device, organisation } = proven;
  requireNoObstacle(appSwitchObstacle(device.type, organisation));
  const { verdict, removed, ended } = deps.db.transaction((tx) => {
    const challenge = requireOwnChallenge(tx, proven, challengeId);
    if (isSignIn(challenge)) {
      requireSignInMethod(policyOfSignIn(tx, organisation, challenge), METHOD_BY_DEVICE_TYPE[device.type]);
    }
    if (!isSignIn(challenge)) requireConfirmedDevice(device, deps.clock.now());
    const judged = judge(challenge, response, deps.clock.now());
    settle(deps, tx, challenge, device, judged);
    // A new device can deny its own sign-in, but doesn't end other sign-ins or alert anyone, because a thief may have
    // added the device.
    const isFraud = judged.reason === 'not-me' && !isNewDevice(device, deps.clock.now());
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

/** Returns true if the push was sent to the device. After the answer, `zid` is the device that answered. */
const isSentTo = (device: ProvenDevice['device'], { suid, zid, status }: challengeRepo.ChallengeRow): boolean =>
  suid === device.suid && (status !== 'pending' || zid === null || zid === device.zid);

/**
 * Returns the request if this device can answer it. A request opened by code is reserved for the device that opened
 * it. A push can be answered on any of the member's devices, unless it was sent to one of them.
 */
function requireOwnChallenge(tx: Tx, { device }: ProvenDevice, id: string): AnswerableChallenge {
  const challenge = challengeRepo.findChallenge(tx, device.orgCode, id);
  if (!challenge || !isAnswerable(challenge) || challenge.kind === 'test') throw new Refusal('ID_DOESNOT_EXIST');
  const isOwn = challenge.mode === 'PUSH' ? isSentTo(device, challenge) : challenge.zid === device.zid;
  if (!isOwn) throw new Refusal('ID_DOESNOT_EXIST');
  return challenge;
}

/** Returns the member's profile, with the new device's zid. */
function deviceProfile(
  { db }: Deps,
  {
    zid,
    member,
    organisation,
  }: { zid: string; member: memberRepo.MemberRow; organisation: organisationRepo.OrganisationRow },
): Profile {
  const { orgCode, roleCode, isManager } = member;
  const { allowReporteeSearch } = organisation;
  const role = roleRepo.findRole(db, orgCode, roleCode);
  return profileOf({
    zid,
    member,
    orgCode,
    roleCode,
    isManager,
    allowReporteeSearch,
    roleName: role?.name ?? roleCode,
    permissions: effectivePermissions({ member, permissions: role?.permissions ?? [], allowReporteeSearch }),
  });
}

type Progress = Answer<typeof contract.pairStatus>;
type PairNews = (typeof contract.pairStatus.news)[number];

/**
 * Returns the pairing progress of a connected device. The device signs the call with its new key.
 * @throws Refusal ID_DOESNOT_EXIST if the pairing is unknown; SIGNATURE_MISMATCH if the signature or organisation is
 * wrong or the call is replayed; EXPIRED if the clock is off
 */
function pairProgress(deps: Deps, { pairingId, jws }: { pairingId: string; jws: string }): Progress {
  const challenge = challengeRepo.findChallengeByPairing(deps.db, pairingId);
  if (!challenge?.pairing) throw new Refusal('ID_DOESNOT_EXIST');
  const { orgCode, zid, pairing } = challenge;
  // The device doesn't know when its zid is assigned, so a call without `kid` is still accepted afterwards.
  const payload = verifyDeviceJws(jws, pairing.publicKey, zid === null ? [undefined] : [undefined, zid]);
  const claims = requireFreshClaims(deps, pairStatusClaims, { payload, orgCode, thumbprint: pairing.thumbprint });
  if ((claims.pairingId ?? pairingId) !== pairingId) throw new Refusal('SIGNATURE_MISMATCH');
  return progressOf(deps, challenge);
}

function progressOf(deps: Deps, challenge: challengeRepo.ChallengeRow): Progress {
  switch (outcomeOf(challenge, deps.clock.now())) {
    case 'pending':
      return { status: 'notify' };
    case 'expired':
      return successWith('EXPIRED', { status: 'expired' });
    case 'approved':
      return complete(deps, challenge);
    case 'denied':
    case 'cancelled':
      return successWith(disclosedReason(challenge.resultCode), { status: 'denied' });
  }
}

/** Discloses only reasons that are about the device. Other reasons stay between the member and the portal. */
const disclosedReason = (result: ResultName | null): PairNews =>
  contract.pairStatus.news.find((name) => name === result) ?? 'ADD_DEVICE_NO_CONSENT';

function complete(deps: Deps, { orgCode, suid, zid }: challengeRepo.ChallengeRow): Progress {
  const member = memberRepo.findMember(deps.db, orgCode, suid ?? '');
  const organisation = organisationRepo.findOrganisation(deps.db, orgCode);
  if (!member || !organisation || zid === null) throw new Refusal('ID_DOESNOT_EXIST');
  return {
    status: 'complete',
    zid,
    suid: member.suid,
    profile: deviceProfile(deps, { zid, member, organisation }),
    confirmation: confirmationOf(deps, deps.db, { orgCode, zid }),
  };
}

/** Returns the member's pending push requests, oldest first, without approvals if the device is new. */
function waitingFor({ db, clock }: Deps, { device }: ProvenDevice): AnswerableChallenge[] {
  const { orgCode, suid } = device;
  const now = clock.now();
  return challengeRepo
    .listWaitingChallenges(db, orgCode, suid, now)
    .filter(isAnswerable)
    .filter((challenge) => isSentTo(device, challenge))
    .filter(({ kind }) => kind !== 'approval' || !isNewDevice(device, now));
}

/** Sends a device its member's pending requests until the device or the member is no longer active. */
function serveWaitingChallenges(app: FastifyInstance, deps: Deps): void {
  serveChannel(app, deps, authenticatorLive, {
    open({ first }) {
      const { device } = requireDevice(deps, first, deviceClaims);
      return {
        topics: [TOPIC.member(device.suid)],
        state: () => waitingState(deps, requireActingDevice(deps, device)),
      };
    },
  });
}

function waitingState(deps: Deps, proven: ProvenDevice) {
  const waiting = waitingFor(deps, proven);
  return {
    message: {
      op: 'challenges' as const,
      challenges: waiting.map((row) => pendingChallengeOf(row, proven.organisation)),
    },
    expiresAt: waiting.length > 0 ? Math.min(...waiting.map(({ expiresAt }) => expiresAt)) : undefined,
  };
}

/** Serves the authenticator endpoints (contract §14). Each call must be signed by a device. */
export function authenticator(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.activate, ({ body, actor, userAgent }) => {
    const activated = activateDevice(deps, body, actor, userAgent);
    const { zid, organisation, member, confirmation } = activated;
    const profile = deviceProfile(deps, activated);
    return { zid, suid: member.suid, orgName: organisation.name, profile, confirmation };
  });

  implement(app, deps, contract.pair, ({ body }) => {
    const { pairing, orgName, expiresAt } = pairDevice(deps, body);
    const { pairingId, verificationCode } = pairing;
    return { pairingId, orgName, verificationCode, expiresAt: isoOf(expiresAt) };
  });

  implement(app, deps, contract.pairStatus, ({ body }) => pairProgress(deps, body));

  implement(app, deps, contract.resolve, ({ body }) => {
    const proven = requireDevice(deps, body, resolveClaims);
    const opened = resolveCode(deps, proven, proven.claims.code);
    const challenge = pendingChallengeOf(opened, proven.organisation);
    return opened.kind === 'test' ? successWith('TEST_DEVICE_SUCCESS', { challenge }) : { challenge };
  });

  implement(app, deps, contract.respond, ({ body, actor }) => {
    const proven = requireDevice(deps, body, respondClaims);
    return respondToChallenge(deps, proven, proven.claims, actor);
  });

  implement(app, deps, contract.pending, ({ body }) => {
    const proven = requireDevice(deps, body, deviceClaims);
    return { challenges: waitingFor(deps, proven).map((row) => pendingChallengeOf(row, proven.organisation)) };
  });

  serveWaitingChallenges(app, deps);
}
