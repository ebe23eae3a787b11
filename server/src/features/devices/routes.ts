import { challengeRepo, deviceRepo, type memberRepo, organisationRepo } from '@orchestrate/db';
import {
  type ActivationData,
  type AppType,
  type CodeKind,
  codeOf,
  contract,
  fullNameOf,
  LIMITS,
  SECOND,
  testDeviceLive,
} from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { deviceObject } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { deviceObstacle, requireNoObstacle } from '#core/device-keys/device-admission.ts';
import {
  isApprovedByDevice,
  requireBoundDevice,
  requireDeviceToManage,
  requireOlderDevice,
} from '#core/device-keys/require-bound-device.ts';
import { activationDataOf } from '#core/members/activation-data.ts';
import { emailCode, readOwnDesktopCode } from '#core/members/issue-code.ts';
import { beginChallenge, type Requester } from '#core/sign-in/challenges/begin.ts';
import { announceChallenge, outcomeOf } from '#core/sign-in/challenges/challenge.ts';
import { NEW_DEVICE_MS } from '#core/sign-in/new-devices.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { implement } from '#platform/http/implement.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { serveChannel } from '#platform/live/serve-channel.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';
import { serveAddDevice } from './add-device-live.ts';
import { addPasskeyDevice, beginPasskeyRegistration } from './add-passkey.ts';
import { changeDeviceStatus } from './change-device.ts';

/** Starts a device test for a member. Its challenge can be scanned or typed. */
function beginTest(
  deps: Deps,
  { orgCode, suid, requester }: { orgCode: string; suid: string; requester: Requester },
): challengeRepo.NewChallenge {
  return beginChallenge(deps, deps.db, {
    orgCode,
    suid,
    kind: 'test',
    mode: 'QID',
    codes: ['QID', 'DID'],
    lifetimeSeconds: LIMITS.testDeviceLifetimeSeconds,
    requester,
  });
}

/**
 * Serves the progress of a device test. The browser can send a message to request a code of the other type or a new
 * code.
 */
function serveTestDevice(app: FastifyInstance, deps: Deps): void {
  serveChannel(app, deps, testDeviceLive, {
    open({ caller: { orgCode, suid, member }, query: { qid }, ip, userAgent }) {
      const found = challengeRepo.findChallengeByQid(deps.db, orgCode, qid);
      if (found?.kind !== 'test' || found.suid !== suid) throw new Refusal('ID_DOESNOT_EXIST');
      const requester = { ip, userAgent, fullName: fullNameOf(member) };
      let shown: CodeKind = 'QID';
      let test = { orgCode, id: found.id };
      return {
        // Subscribe to the member's topic rather than the challenge's, because the challenge may be replaced while
        // the channel stays open.
        topics: [TOPIC.member(suid)],
        state: () => liveState(deps, test, shown),
        onMessage({ op, org }) {
          if (org !== orgCode) throw new Refusal('ID_DOESNOT_EXIST', { message: 'org: Not your organisation.' });
          shown = op;
          if (outcomeOf(requireTest(deps, test), deps.clock.now()) === 'expired') {
            test = { orgCode, id: beginTest(deps, { orgCode, suid, requester }).id };
          }
        },
      };
    },
  });
}

function requireTest({ db }: Deps, { orgCode, id }: { orgCode: string; id: string }): challengeRepo.ChallengeRow {
  const test = challengeRepo.findChallenge(db, orgCode, id);
  if (!test) throw new Refusal('ID_DOESNOT_EXIST');
  return test;
}

function liveState(deps: Deps, named: { orgCode: string; id: string }, op: CodeKind) {
  const now = deps.clock.now();
  const test = requireTest(deps, named);
  const outcome = outcomeOf(test, now);
  if (outcome === 'approved') return { message: doneMessage(deps, test) };
  if (outcome !== 'pending') return { message: { op, resultCode: codeOf('EXPIRED') } };
  const value = (op === 'QID' ? test.qid : test.did) ?? undefined;
  const idTimeout = Math.ceil((test.expiresAt - now) / SECOND);
  return { message: { op, value, idTimeout, resultCode: codeOf('SUCCESS') }, expiresAt: test.expiresAt };
}

function doneMessage({ db }: Deps, { orgCode, zid }: challengeRepo.ChallengeRow) {
  const device = deviceRepo.findDevice(db, orgCode, zid ?? '');
  if (!device) throw new Refusal('ID_DOESNOT_EXIST');
  const { name, nickName, type, registeredAt } = device;
  const value = { device: { name, nickName, type, registeredDate: isoOf(registeredAt) } };
  return { op: 'test' as const, resultCode: codeOf('TEST_DEVICE_SUCCESS'), value };
}

interface AddDeviceRequest {
  member: memberRepo.MemberRow;
  /** Whether the code is scanned or typed. */
  type: CodeKind;
  mode: AppType;
  requester: Requester;
}

/**
 * Issues a new add-device code, replacing the member's previous code of the same type.
 * @throws Refusal MOBILE_APP_NOT_ENABLED, DESKTOP_APP_NOT_ENABLED if the member may not use this app;
 * AUTHENTICATOR_DISALLOWED if the organisation has disabled this type; DEVICE_ADD_LIMIT_REACHED
 */
function beginAddDevice(deps: Deps, { member, type, mode, requester }: AddDeviceRequest) {
  const { db, clock } = deps;
  const { orgCode, suid } = member;
  const started = db.transaction((tx) => {
    const organisation = organisationRepo.findOrganisation(tx, orgCode);
    if (!organisation) throw new Refusal('ID_DOESNOT_EXIST');
    requireNoObstacle(deviceObstacle(tx, { organisation, member, type: mode }));
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
  for (const id of started.cancelled) announceChallenge(deps, { id });
  return {
    aid: started.aid,
    confirmExpDur: LIMITS.addDeviceConfirmSeconds,
    verifyExpDur: LIMITS.addDeviceVerifySeconds,
    activationCode: mode === 'desktop' ? validDesktopCode(deps, member) : undefined,
  };
}

function validDesktopCode(deps: Deps, member: memberRepo.MemberRow): string | undefined {
  const { activationCode, activationExpired, activationLocked } = readOwnDesktopCode(deps, member);
  return activationExpired || activationLocked ? undefined : activationCode;
}

/**
 * Reports a device lost and emails its owner a code for the next device, in one transaction. In an owner's session
 * that no device approved, the code is only emailed, and only to an address verified at least a day ago (decision
 * 206).
 * @throws Refusal as in `requireOlderDevice`; as in `requireBoundDevice`, if the address was verified more recently;
 * as in `changeDeviceStatus` and `emailCode`
 */
function replaceDevice(
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
    emailCode(deps, tx, { actor, member, type, isOwn }),
  );
  return activationDataOf(mailed?.code, now, isShown);
}

/** Returns true if the address was verified long enough ago for its owner to have noticed a change. */
const isSettled = ({ emailVerifiedAt }: memberRepo.MemberRow, now: number): boolean =>
  emailVerifiedAt !== null && emailVerifiedAt <= now - NEW_DEVICE_MS;

/** Serves the management of a member's devices. */
export function devices(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.addDevice, ({ caller, target, body: { type, mode, approvalId }, ip, userAgent }) => {
    requireBoundDevice(deps, deps.db, caller, approvalId);
    return beginAddDevice(deps, { member: target, type, mode, requester: { ip, userAgent } });
  });

  implement(app, deps, contract.deleteDevice, ({ caller, actor, target, body: { zid, action } }) => {
    const command = { action: action ? 'lose' : 'delete', zid } as const;
    requireOlderDevice(deps, deps.db, caller, { suid: target.suid, ...command });
    changeDeviceStatus(deps, { caller, actor, target }, command);
    return {};
  });

  implement(app, deps, contract.replaceDevice, ({ caller, actor, target, body }) =>
    replaceDevice(deps, { caller, actor, target }, body),
  );

  implement(app, deps, contract.manageDevice, ({ caller, actor, target, body: { zid, action } }) => {
    requireOlderDevice(deps, deps.db, caller, { suid: target.suid, action, zid });
    changeDeviceStatus(deps, { caller, actor, target }, { action, zid });
    return {};
  });

  implement(
    app,
    deps,
    contract.nameDevice,
    ({ actor, target: { orgCode, suid }, body: { zid, nickname: nickName } }) => {
      deps.db.transaction((tx) => {
        const device = deviceRepo.findDevice(tx, orgCode, zid);
        if (!device || !deviceRepo.setDeviceNickname(tx, orgCode, { suid, zid, nickName })) {
          throw new Refusal('ID_DOESNOT_EXIST');
        }
        const facts = { before: { nickName: device.nickName }, after: { nickName } };
        record(deps, tx, actor, { action: 'device.renamed', object: deviceObject(device), ...facts });
      });
      return { nickName };
    },
  );

  implement(app, deps, contract.testDevice, ({ caller: { orgCode, suid, member }, ip, userAgent }) => {
    const requester = { ip, userAgent, fullName: fullNameOf(member) };
    const { qid, did } = beginTest(deps, { orgCode, suid, requester });
    return { qid: qid ?? '', did: did ?? '', idTimeout: LIMITS.testDeviceLifetimeSeconds };
  });

  implement(app, deps, contract.beginPasskey, ({ caller, ip, userAgent, body: { approvalId } }) => {
    requireBoundDevice(deps, deps.db, caller, approvalId);
    return beginPasskeyRegistration(deps, caller, { ip, userAgent });
  });

  implement(app, deps, contract.addPasskey, ({ caller, actor, body, ip, userAgent }) =>
    addPasskeyDevice(deps, caller, { ...body, requester: { ip, userAgent } }, actor),
  );

  serveAddDevice(app, deps);
  serveTestDevice(app, deps);
}
