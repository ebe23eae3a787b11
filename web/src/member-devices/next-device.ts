import type { AppType, Device, Member, OrgLoginOptions, Profile } from '@orchestrate/shared';
import { hasPermission } from '../lib/session/session.ts';
import { appSwitchObstacle } from '../login-options/org-login-options.ts';
import type { DevicePermissions } from './device-permissions.ts';

/** How the owner of a lost device comes to the next one. */
export interface NextDevice {
  /** Still signs the owner in: with it they add the next one themselves. */
  remaining: Device | undefined;
  /** The app whose activation code can be mailed to them; absent where there can be none. */
  app: AppType | undefined;
}

interface Loss {
  device: Device;
  /** All registered devices of the owner. */
  devices: readonly Device[];
  owner: Member;
  /** Who reports it. */
  profile: Profile | undefined;
  permissions: DevicePermissions;
  organisation: OrgLoginOptions | undefined;
}

export function nextDeviceAfter({ device, devices, owner, profile, permissions, organisation }: Loss): NextDevice {
  const others = devices.filter(({ zid, status }) => zid !== device.zid && status === 'active');
  const isPossible: Record<AppType, boolean> = {
    // With an active phone there is no code for another one: they add it themselves.
    mobile: owner.hasPermissionForMobileApp && !others.some(({ type }) => type === 'mobile'),
    desktop: owner.hasPermissionForWindowsApp,
  };
  const wanted: AppType = device.type === 'desktop' ? 'desktop' : 'mobile';
  const maySend = permissions.mailCode[wanted].every((permission) => hasPermission(profile, permission));
  const isThere = owner.accountStatus !== 'inactive' && owner.accountStatus !== 'deleted';
  const isOn = appSwitchObstacle(wanted, organisation) === undefined;
  return { remaining: others[0], app: isPossible[wanted] && isOn && maySend && isThere ? wanted : undefined };
}
