import type { DeviceType } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';

export interface DeviceFacts {
  zid: string;
  type: DeviceType;
  status: 'active' | 'paused';
}

/** `signInZid` is the device of the caller's sign-in; it is never another member's device. */
export interface DeviceCommand {
  action: 'pause' | 'enable' | 'delete' | 'lose';
  zid: string;
  signInZid: string;
}

const isActiveMobile = (device: DeviceFacts) => device.type === 'mobile' && device.status === 'active';

/** @throws Refusal AT_LEAST_ONE_DEVICE_MUST_EXIST for the last device, and for the last active mobile one */
function requireAnother(device: DeviceFacts, devices: readonly DeviceFacts[], action: 'pause' | 'delete'): void {
  const isOnly = devices.length === 1;
  const isLastMobile = isActiveMobile(device) && devices.filter(isActiveMobile).length === 1;
  if (isLastMobile && (action === 'pause' || !isOnly))
    throw new Refusal('AT_LEAST_ONE_DEVICE_MUST_EXIST', { message: LAST_MOBILE[action] });
  if (isOnly) throw new Refusal('AT_LEAST_ONE_DEVICE_MUST_EXIST');
}

/**
 * Returns the new status of a device, given all registered devices of its member (spec 1 §4). Reporting it lost is
 * always possible: a lost phone is an immediate danger, even when it is the only one (decision 024).
 * @throws Refusal ID_DOESNOT_EXIST unknown device, FORBIDDEN the device of this sign-in,
 * AT_LEAST_ONE_DEVICE_MUST_EXIST a device that must stay
 */
export function changeDevice(
  devices: readonly DeviceFacts[],
  { action, zid, signInZid }: DeviceCommand,
): 'active' | 'paused' | 'removed' | 'lost' {
  const device = devices.find((one) => one.zid === zid);
  if (!device) throw new Refusal('ID_DOESNOT_EXIST', { message: 'There is no such device, or it has been removed.' });
  if (action === 'lose') return 'lost';
  if (action === 'enable') return 'active';
  if (action === 'pause' && device.status === 'paused') return 'paused';
  if (zid === signInZid) throw new Refusal('FORBIDDEN', { message: SIGN_IN_DEVICE[action] });
  requireAnother(device, devices, action);
  return action === 'pause' ? 'paused' : 'removed';
}

/** Spec 1 §8, to the letter. */
const SIGN_IN_DEVICE = {
  pause: 'Cannot disable device used for this login',
  delete: 'Cannot delete device used for this login',
};
const LAST_MOBILE = {
  pause: 'Last mobile device cannot be disabled',
  delete: 'Last mobile device cannot be deleted',
};
