import { deviceRepo, type memberRepo, type organisationRepo, type Tx } from '@orchestrate/db';
import type { AppType, DeviceType, ResultName } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';
import { portalLoginPolicy } from '../sign-in/login-policy.ts';

/** The owner and type of a device to be added. `thumbprint` identifies the device's key, once the key exists. */
export interface Admission {
  organisation: organisationRepo.OrganisationRow;
  member: memberRepo.MemberRow;
  type: DeviceType;
  thumbprint?: string | undefined;
}

/** Returns MOBILE_APP_NOT_ENABLED or DESKTOP_APP_NOT_ENABLED if the member isn't allowed to use this app. */
export function appPermissionObstacle(
  type: AppType,
  {
    hasPermissionForMobileApp,
    hasPermissionForWindowsApp,
  }: Pick<memberRepo.MemberRow, 'hasPermissionForMobileApp' | 'hasPermissionForWindowsApp'>,
): ResultName | undefined {
  if (type === 'mobile') return hasPermissionForMobileApp ? undefined : 'MOBILE_APP_NOT_ENABLED';
  return hasPermissionForWindowsApp ? undefined : 'DESKTOP_APP_NOT_ENABLED';
}

/** Returns AUTHENTICATOR_DISALLOWED if the organisation has turned off devices of this type. */
export function appSwitchObstacle(
  type: AppType,
  {
    mobileAppEnabled,
    desktopAppEnabled,
  }: Pick<organisationRepo.OrganisationRow, 'mobileAppEnabled' | 'desktopAppEnabled'>,
): ResultName | undefined {
  const isOn = type === 'mobile' ? mobileAppEnabled : desktopAppEnabled;
  return isOn ? undefined : 'AUTHENTICATOR_DISALLOWED';
}

/** Returns the app that members use to register their first device. */
export const firstAppOf = ({
  mobileAppEnabled,
}: Pick<organisationRepo.OrganisationRow, 'mobileAppEnabled'>): AppType => (mobileAppEnabled ? 'mobile' : 'desktop');

/**
 * Returns WEBAUTHN_NOT_ENABLED if passkeys are turned off. For apps, returns the permission or organisation obstacle.
 */
function typeObstacle(tx: Tx, { organisation, member, type }: Admission): ResultName | undefined {
  if (type !== 'webauthn') return appPermissionObstacle(type, member) ?? appSwitchObstacle(type, organisation);
  return portalLoginPolicy(tx, organisation).webAuthnEnabled ? undefined : 'WEBAUTHN_NOT_ENABLED';
}

/**
 * Returns the reason why the member can't have this device: an obstacle from `typeObstacle`; DEVICE_ADD_LIMIT_REACHED
 * (paused devices count); ORG_ALREADY_ENABLED if the key is in use in the organisation; MOBILE_UNVERIFIED;
 * USER_INACTIVE.
 */
export function deviceObstacle(tx: Tx, admission: Admission): ResultName | undefined {
  const { organisation, member, thumbprint } = admission;
  const { orgCode, deviceLimit } = organisation;
  const obstacle = typeObstacle(tx, admission);
  if (obstacle) return obstacle;
  if (deviceRepo.countRegisteredDevices(tx, orgCode, member.suid) >= deviceLimit) return 'DEVICE_ADD_LIMIT_REACHED';
  if (thumbprint && deviceRepo.isKeyRegistered(tx, orgCode, thumbprint)) return 'ORG_ALREADY_ENABLED';
  if (member.accountStatus === 'unverified') return 'MOBILE_UNVERIFIED';
  return member.accountStatus === 'inactive' || member.accountStatus === 'deleted' ? 'USER_INACTIVE' : undefined;
}

/** Throws a Refusal if there is an obstacle. */
export function requireNoObstacle(obstacle: ResultName | undefined): void {
  if (obstacle) throw new Refusal(obstacle);
}
