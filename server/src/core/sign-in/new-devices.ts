import { deviceRepo, type organisationRepo, type Tx } from '@orchestrate/db';
import { HOUR, LIMITS } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';
import { allowedDeviceTypes } from './login-policy.ts';

type Approver = Pick<deviceRepo.DeviceRow, 'name' | 'approvesFrom'>;

/** Time until a new device can approve changes, in milliseconds. */
export const NEW_DEVICE_MS = LIMITS.newDeviceHours * HOUR;

/**
 * Returns true if a device is new: registered from its owner's session and not yet confirmed by an older device. A
 * new device can sign in, but proves no more than that session (decision 206).
 */
export const isNewDevice = ({ approvesFrom }: Pick<Approver, 'approvesFrom'>, now: number): boolean =>
  approvesFrom > now;

/** Throws Refusal AUTHENTICATION_INCOMPLETE for a new device. */
export function requireConfirmedDevice(device: Approver, now: number): void {
  if (!isNewDevice(device, now)) return;
  const from = `${isoOf(device.approvesFrom).slice(0, 16).replace('T', ' ')} UTC`;
  throw new Refusal('AUTHENTICATION_INCOMPLETE', {
    message: `“${device.name}” is new. It can approve changes from ${from}, or as soon as you confirm it on an older device.`,
  });
}

/**
 * Restarts the waiting period of a member's new devices if no confirmed device is left. Otherwise, ending the last
 * confirmed device would shorten the time the owner has to object. Call it in the transaction that ended the device.
 */
export function restartWaitingPeriods(tx: Tx, orgCode: string, suid: string, now: number): void {
  const left = deviceRepo.listRegisteredDevices(tx, orgCode, suid);
  if (!left.every((device) => isNewDevice(device, now))) return;
  for (const { zid } of left) deviceRepo.setApprovesFrom(tx, orgCode, zid, now + NEW_DEVICE_MS);
}

/** Returns the member's active devices that answer requests, newest first. Devices marked `new` can't approve yet. */
export function approversOf(
  tx: Tx,
  organisation: organisationRepo.OrganisationRow,
  suid: string,
  now: number,
): Record<'ready' | 'new', deviceRepo.DeviceRow[]> {
  const types: readonly string[] = allowedDeviceTypes(organisation);
  const active = deviceRepo
    .listRegisteredDevices(tx, organisation.orgCode, suid)
    .filter(({ type, status }) => status === 'active' && types.includes(type));
  return {
    ready: active.filter((device) => !isNewDevice(device, now)),
    new: active.filter((device) => isNewDevice(device, now)),
  };
}
