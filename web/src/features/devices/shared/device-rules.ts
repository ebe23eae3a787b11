import { t } from '@lingui/core/macro';
import type { Device } from '@orchestrate/shared';

export type BlockableAction = 'pause' | 'delete';

/** Input to the rules: the device, all of its owner's devices, and the session's device. */
export interface DeviceSituation {
  device: Device;
  devices: readonly Device[];
  /**
   * ID of the device that the current session was signed in with. Matches none of `devices` if they belong to another
   * member.
   */
  signInZid: string;
}

const DEVICE_OBSTACLES = {
  signIn: {
    pause: t`Cannot disable device used for this login`,
    delete: t`Cannot delete device used for this login`,
  },
  lastMobile: {
    pause: t`Last mobile device cannot be disabled`,
    delete: t`Last mobile device cannot be deleted`,
  },
  onlyDevice: t`At least one mobile device should exist`,
} as const;

const isActiveMobile = ({ type, status }: Device) => type === 'mobile' && status === 'active';

/**
 * Returns the tooltip that explains why a device can't be paused or deleted (spec 1 §4), or undefined if it can. A
 * paused device can always be enabled.
 */
export function obstacleTo(action: BlockableAction, situation: DeviceSituation): string | undefined {
  const { device, devices, signInZid } = situation;
  if (action === 'pause' && device.status === 'paused') return undefined;
  if (device.zid === signInZid) return DEVICE_OBSTACLES.signIn[action];
  const others = devices.filter(({ zid }) => zid !== device.zid);
  const isOnly = others.length === 0;
  const isLastMobile = isActiveMobile(device) && !others.some(isActiveMobile);
  if (isLastMobile && (action === 'pause' || !isOnly)) return DEVICE_OBSTACLES.lastMobile[action];
  return isOnly ? DEVICE_OBSTACLES.onlyDevice : undefined;
}

/**
 * Returns true if another of the owner's devices can confirm this new device. The other device must be able to answer
 * requests and not be new itself.
 */
export function isConfirmable(device: Device, devices: readonly Device[]): boolean {
  const canApprove = ({ type, status, approvesFrom }: Device) =>
    type !== 'webauthn' && status === 'active' && approvesFrom === undefined;
  return device.approvesFrom !== undefined && devices.some(canApprove);
}

/** Sorts by registration, newest first. */
export function sortNewestFirst(devices: readonly Device[]): Device[] {
  return devices.toSorted((a, b) => b.registeredDate.localeCompare(a.registeredDate));
}

/** Returns the device's nickname if set, otherwise its name. */
export const deviceLabel = ({ nickName, name }: Pick<Device, 'nickName' | 'name'>): string => nickName || name;
