import { t } from '@lingui/core/macro';
import type { AppType, Profile } from '@orchestrate/shared';

/** The text beside an app that is denied (spec 1 §6). */
export const APP_DENIED = t`To enable this you can contact your Admin`;

/** Whether a person may use this kind of authenticator app. */
export function isAppAllowed(profile: Profile | undefined, app: AppType): boolean {
  const isAllowed = app === 'mobile' ? profile?.hasPermissionForMobileApp : profile?.hasPermissionForWindowsApp;
  return isAllowed ?? false;
}

/** Adding a device is allowed with the permission for either app (spec 1 §6). */
export function canAddDevice(profile: Profile | undefined): boolean {
  return isAppAllowed(profile, 'mobile') || isAppAllowed(profile, 'desktop');
}
