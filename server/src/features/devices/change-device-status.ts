import { challengeRepo, deviceRepo, memberRepo, sessionRepo, type Tx } from '@orchestrate/db';
import { deviceObject } from '../../core/audit/audit-objects.ts';
import { record } from '../../core/audit/record.ts';
import { requireAuthorityOver } from '../../core/members/authority.ts';
import { announceChallenge } from '../../core/sign-in/challenges/announce-challenge.ts';
import { announceEnded } from '../../core/sign-in/sessions.ts';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import type { Caller } from '../../platform/http/callers/caller.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { writeMessage } from '../../platform/mails/write-message.ts';
import { changeDevice, type DeviceCommand } from './change-device.ts';

interface Parties {
  caller: Caller;
  actor: AuditActor;
  target: memberRepo.MemberRow;
}
type Command = Omit<DeviceCommand, 'signInZid'>;

/** What ended with the use of a device: ids of sessions and challenges. */
interface Ended {
  sessions: string[];
  challenges: string[];
}

/**
 * Pauses, enables, deletes or loses a device of a member. The rule checks all devices of the member inside the
 * transaction, so that two parallel deletes of the last two leave one.
 * @param also written together with the change, or not at all
 * @throws Refusal INVALID_PERMISSIONS the owner of the device is more powerful than the caller; ID_DOESNOT_EXIST,
 * FORBIDDEN, AT_LEAST_ONE_DEVICE_MUST_EXIST
 */
export function changeDeviceStatus<T = void>(
  deps: Deps,
  parties: Parties,
  command: Command,
  also?: (tx: Tx) => T,
): T | undefined {
  const { suid } = parties.target;
  const { bus } = deps;
  const { ended, written } = deps.db.transaction((tx) => ({
    ended: writeStatus(deps, tx, parties, command),
    written: also?.(tx),
  }));
  announceEnded(deps, ended.sessions);
  for (const id of ended.challenges) announceChallenge(deps, { id });
  bus.changed(TOPIC.member(suid));
  if (command.action === 'lose') bus.changed(TOPIC.outbox);
  return written;
}

function writeStatus(deps: Deps, tx: Tx, { caller, actor, target: member }: Parties, command: Command): Ended {
  const { orgCode, suid } = member;
  requireAuthorityOver(tx, caller, memberRepo.findMember(tx, orgCode, suid) ?? member);
  const devices = deviceRepo.listRegisteredDevices(tx, orgCode, suid);
  const status = changeDevice(devices, { ...command, signInZid: caller.zid });
  deviceRepo.setDeviceStatus(tx, orgCode, command.zid, status);
  const { name = '', status: before = '' } = devices.find(({ zid }) => zid === command.zid) ?? {};
  const object = deviceObject({ zid: command.zid, suid, name });
  record(deps, tx, actor, { action: RECORDED[command.action], object, before: { status: before }, after: { status } });
  if (status === 'active') return { sessions: [], challenges: [] };
  if (status === 'lost') writeLostMail(deps, tx, member, name);
  return endUse(deps, tx, orgCode, command.zid);
}

const RECORDED = {
  pause: 'device.paused',
  enable: 'device.unpaused',
  delete: 'device.deleted',
  lose: 'device.lost',
} as const;

/** Ends the sessions the device has signed in, and cancels what it was about to answer. */
function endUse({ clock }: Deps, tx: Tx, orgCode: string, zid: string): Ended {
  const now = clock.now();
  return {
    sessions: sessionRepo.revokeSessions(tx, orgCode, { zid }, now),
    challenges: challengeRepo.cancelChallenges(tx, orgCode, { zid }, { resultCode: 'LOGIN_REJECTED', now }),
  };
}

function writeLostMail(
  deps: Deps,
  tx: Tx,
  { orgCode, firstName, language, primaryEmail: to }: memberRepo.MemberRow,
  deviceName: string,
): void {
  const facts = { firstName, deviceName, at: deps.clock.now() };
  writeMessage(deps, tx, { orgCode, to, language, template: 'device-lost', facts });
}
