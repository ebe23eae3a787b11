import { deviceRepo, type memberRepo, type organisationRepo, type Tx } from '@orchestrate/db';
import type { AppType, DeviceType, ResultName } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';
import { portalLoginPolicy } from '../sign-in/login-policy.ts';

/** Who wants a device, and of which type. `thumbprint` is that of its key, once there is one. */
export interface Admission {
  organisation: organisationRepo.OrganisationRow;
  member: memberRepo.MemberRow;
  type: DeviceType;
  thumbprint?: string | undefined;
}

/** Why the person may not use this app: MOBILE_APP_NOT_ENABLED or DESKTOP_APP_NOT_ENABLED. */
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

/** AUTHENTICATOR_DISALLOWED if the organisation has switched off devices of this type. */
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

/** The app with which people of the organisation register their first device. */
export const firstAppOf = ({
  mobileAppEnabled,
}: Pick<organisationRepo.OrganisationRow, 'mobileAppEnabled'>): AppType => (mobileAppEnabled ? 'mobile' : 'desktop');

/** WEBAUTHN_NOT_ENABLED if the portal does not accept passkeys; for apps as above. */
function typeObstacle(tx: Tx, { organisation, member, type }: Admission): ResultName | undefined {
  if (type !== 'webauthn') return appPermissionObstacle(type, member) ?? appSwitchObstacle(type, organisation);
  return portalLoginPolicy(tx, organisation).webAuthnEnabled ? undefined : 'WEBAUTHN_NOT_ENABLED';
}

/**
 * Why the member may not have this device, if there is a reason: as `typeObstacle`; DEVICE_ADD_LIMIT_REACHED (paused
 * devices count); ORG_ALREADY_ENABLED the key is already in use in the organisation; MOBILE_UNVERIFIED, USER_INACTIVE.
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

/** @throws Refusal for any obstacle */
export function requireNone(obstacle: ResultName | undefined): void {
  if (obstacle) throw new Refusal(obstacle);
}
