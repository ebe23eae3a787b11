import { deviceRepo, type memberRepo, type Tx } from '@orchestrate/db';
import { Refusal } from '#platform/refusal.ts';
import { requireActiveMember } from '../sign-in/find-member.ts';

/** An active device and its owner, as currently stored. */
export interface ActiveDevice {
  device: deviceRepo.DeviceRow;
  member: memberRepo.MemberRow;
}

/**
 * Returns the device and its owner if both are active.
 * @throws Refusal DEVICE_NOT_TRUSTED if the device is unknown, removed or lost; DESKTOP_APP_REMOVED if it is a
 * removed computer; DEVICE_INACTIVE if it is paused; USER_INACTIVE if its owner isn't active
 */
export function requireActive(tx: Tx, { orgCode, zid }: Pick<deviceRepo.DeviceRow, 'orgCode' | 'zid'>): ActiveDevice {
  const device = deviceRepo.findDevice(tx, orgCode, zid);
  if (!device) throw new Refusal('DEVICE_NOT_TRUSTED');
  const { type, status, suid } = device;
  if (status === 'removed' && type === 'desktop') throw new Refusal('DESKTOP_APP_REMOVED');
  if (status === 'paused') throw new Refusal('DEVICE_INACTIVE');
  if (status === 'lost') throw new Refusal('DEVICE_NOT_TRUSTED', { message: 'This device has been reported lost.' });
  if (status !== 'active') throw new Refusal('DEVICE_NOT_TRUSTED', { message: 'This device has been removed.' });
  return { device, member: requireActiveMember(tx, orgCode, suid) };
}
