import { deviceRepo, memberRepo, type Tx } from '@orchestrate/db';
import type { DeviceType } from '@orchestrate/shared';
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
import { Refusal } from '#platform/refusal.ts';

export interface DeviceFacts {
  zid: string;
  type: DeviceType;
  status: 'active' | 'paused';
}

/** A change to a member's device. `signInZid` is the device that the acting member signed in with. */
export interface DeviceCommand {
  action: 'pause' | 'enable' | 'delete' | 'lose';
  zid: string;
  signInZid: string;
}

const isActiveMobile = (device: DeviceFacts) => device.type === 'mobile' && device.status === 'active';

/**
 * Requires that the member has another device to use once this one is paused or deleted.
 * @throws Refusal AT_LEAST_ONE_DEVICE_MUST_EXIST for the last device, or the last active mobile device
 */
function requireAnother(device: DeviceFacts, devices: readonly DeviceFacts[], action: 'pause' | 'delete'): void {
  const isOnly = devices.length === 1;
  const isLastMobile = isActiveMobile(device) && devices.filter(isActiveMobile).length === 1;
  if (isLastMobile && (action === 'pause' || !isOnly))
    throw new Refusal('AT_LEAST_ONE_DEVICE_MUST_EXIST', { message: LAST_MOBILE[action] });
  if (isOnly) throw new Refusal('AT_LEAST_ONE_DEVICE_MUST_EXIST');
}

/**
 * Returns a device's new status, given all of the member's registered devices (spec 1 §4). Reporting a device lost is
 * always allowed, because a lost phone is an immediate danger even if it's the only device (decision 024).
 * @throws Refusal ID_DOESNOT_EXIST for an unknown device; FORBIDDEN for the device of this sign-in;
 * AT_LEAST_ONE_DEVICE_MUST_EXIST for a device that must stay
 */
export function nextDeviceStatus(
  devices: readonly DeviceFacts[],
  { action, zid, signInZid }: DeviceCommand,
): 'active' | 'paused' | 'removed' | 'lost' {
  const device = devices.find((one) => one.zid === zid);
  if (!device) throw new Refusal('ID_DOESNOT_EXIST', { message: "This device doesn't exist or has been removed." });
  if (action === 'lose') return 'lost';
  if (action === 'enable') return 'active';
  if (action === 'pause' && device.status === 'paused') return 'paused';
  if (zid === signInZid) throw new Refusal('FORBIDDEN', { message: SIGN_IN_DEVICE[action] });
  requireAnother(device, devices, action);
  return action === 'pause' ? 'paused' : 'removed';
}

/** Exact wording from spec 1 §8. */
const SIGN_IN_DEVICE = {
  pause: 'Cannot disable device used for this login',
  delete: 'Cannot delete device used for this login',
};
const LAST_MOBILE = {
  pause: 'Last mobile device cannot be disabled',
  delete: 'Last mobile device cannot be deleted',
};

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
