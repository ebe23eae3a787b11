import type { DeviceType } from '@orchestrate/shared';
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
