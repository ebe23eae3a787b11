import { deviceRepo, type memberRepo, type Tx } from '@orchestrate/db';
import { Refusal } from '#platform/refusal.ts';
import { requireActiveMember } from '../sign-in/active-member.ts';

/** A device that may act, and its owner, as currently stored. */
export interface StandingDevice {
  device: deviceRepo.DeviceRow;
  member: memberRepo.MemberRow;
}

/**
 * @throws Refusal DEVICE_NOT_TRUSTED removed or lost; DESKTOP_APP_REMOVED a computer that was removed; DEVICE_INACTIVE
 * paused; USER_INACTIVE its owner is disabled
 */
export function requireActive(tx: Tx, { orgCode, zid }: Pick<deviceRepo.DeviceRow, 'orgCode' | 'zid'>): StandingDevice {
  const device = deviceRepo.findDevice(tx, orgCode, zid);
  if (!device) throw new Refusal('DEVICE_NOT_TRUSTED');
  const { type, status, suid } = device;
  if (status === 'removed' && type === 'desktop') throw new Refusal('DESKTOP_APP_REMOVED');
  if (status === 'paused') throw new Refusal('DEVICE_INACTIVE');
  if (status === 'lost') throw new Refusal('DEVICE_NOT_TRUSTED', { message: 'This device has been reported lost.' });
  if (status !== 'active') throw new Refusal('DEVICE_NOT_TRUSTED', { message: 'This device has been removed.' });
  return { device, member: requireActiveMember(tx, orgCode, suid) };
}
