import { deviceRepo, memberRepo, type Tx } from '@orchestrate/db';
import { deviceObject } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { announceEndedUse, type EndedUse, endDeviceUse } from '#core/device-keys/end-use.ts';
import { requireAuthorityOver } from '#core/members/authority.ts';
import { restartWaitingPeriods } from '#core/sign-in/new-devices.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { writeMessage } from '#platform/mails/write-message.ts';
import { type DeviceCommand, nextDeviceStatus } from './change-device.ts';

interface Parties {
  caller: Caller;
  actor: AuditActor;
  target: memberRepo.MemberRow;
}
type Command = Omit<DeviceCommand, 'signInZid'>;

/**
 * Pauses, enables or deletes a member's device, or reports it lost. Checks all of the member's devices inside the
 * transaction, because two concurrent deletes of the last two must leave one.
 * @param also runs in the same transaction
 * @throws Refusal INVALID_PERMISSIONS if the owner has more permissions than the acting member; ID_DOESNOT_EXIST,
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
  announceEndedUse(deps, ended, suid);
  if (command.action === 'lose') bus.changed(TOPIC.outbox);
  return written;
}

function writeStatus(deps: Deps, tx: Tx, { caller, actor, target: member }: Parties, command: Command): EndedUse {
  const { orgCode, suid } = member;
  requireAuthorityOver(tx, caller, memberRepo.findMember(tx, orgCode, suid) ?? member);
  const devices = deviceRepo.listRegisteredDevices(tx, orgCode, suid);
  const status = nextDeviceStatus(devices, { ...command, signInZid: caller.zid });
  const now = deps.clock.now();
  deviceRepo.setDeviceStatus(tx, orgCode, command.zid, status, now);
  const { name = '', status: before = '' } = devices.find(({ zid }) => zid === command.zid) ?? {};
  const object = deviceObject({ zid: command.zid, suid, name });
  record(deps, tx, actor, { action: RECORDED[command.action], object, before: { status: before }, after: { status } });
  if (status === 'active') return { sessions: [], challenges: [] };
  if (status !== 'paused') restartWaitingPeriods(tx, orgCode, suid, now);
  if (status === 'lost') writeLostMail(deps, tx, member, name);
  return endDeviceUse(deps, tx, orgCode, command.zid);
}

const RECORDED = {
  pause: 'device.paused',
  enable: 'device.unpaused',
  delete: 'device.deleted',
  lose: 'device.lost',
} as const;

function writeLostMail(
  deps: Deps,
  tx: Tx,
  { orgCode, firstName, language, primaryEmail: to }: memberRepo.MemberRow,
  deviceName: string,
): void {
  const facts = { firstName, deviceName, at: deps.clock.now() };
  writeMessage(deps, tx, { orgCode, to, language, template: 'device-lost', facts });
}
