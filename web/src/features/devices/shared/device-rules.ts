import { t } from '@lingui/core/macro';
import type { Device } from '@orchestrate/shared';

export type ObstructableAction = 'pause' | 'delete';

/** The input of a rule: the device, all devices of the same member, and the device of this sign-in. */
export interface DeviceSituation {
  device: Device;
  devices: readonly Device[];
  /** The device of this sign-in; it is never among another member's devices. */
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
 * Why a device can be neither paused nor deleted (spec 1 §4), as its tooltip says it; undefined where it can. Enabling
 * a paused device is always possible.
 */
export function obstacleTo(action: ObstructableAction, situation: DeviceSituation): string | undefined {
  const { device, devices, signInZid } = situation;
  if (action === 'pause' && device.status === 'paused') return undefined;
  if (device.zid === signInZid) return DEVICE_OBSTACLES.signIn[action];
  const others = devices.filter(({ zid }) => zid !== device.zid);
  const isOnly = others.length === 0;
  const isLastMobile = isActiveMobile(device) && !others.some(isActiveMobile);
  if (isLastMobile && (action === 'pause' || !isOnly)) return DEVICE_OBSTACLES.lastMobile[action];
  return isOnly ? DEVICE_OBSTACLES.onlyDevice : undefined;
}

/** Whether a new device can be confirmed: on another one that answers requests and isn't new itself. */
export function isConfirmable(device: Device, devices: readonly Device[]): boolean {
  const canApprove = ({ type, status, approvesFrom }: Device) =>
    type !== 'webauthn' && status === 'active' && approvesFrom === undefined;
  return device.approvesFrom !== undefined && devices.some(canApprove);
}

/** Newest registration first, as the table shows them. */
export function newestFirst(devices: readonly Device[]): Device[] {
  return devices.toSorted((a, b) => b.registeredDate.localeCompare(a.registeredDate));
}

/** What people call the device: its nickname, else its name. */
export const deviceLabel = ({ nickName, name }: Pick<Device, 'nickName' | 'name'>): string => nickName || name;
