import { t } from '@lingui/core/macro';
import type { AppType, Profile } from '@orchestrate/shared';
import { hasPermission } from './session.ts';

/** The text next to a denied app (spec 1 §6). */
export const APP_DENIED = t`To enable this you can contact your Admin`;

/** The same for users with permission to edit members, who can allow the app themselves. */
export const APP_DENIED_HERE = t`Allow this app under Edit details`;

/** Returns the reason why the user can't use an app. Users who can edit members don't need to contact an Admin. */
export const appDeniedText = (profile: Profile | undefined): string =>
  hasPermission(profile, 'UPDATE_USER') && hasPermission(profile, 'SEARCH_USER')
    ? t`Allow this app for yourself in Manage Users, under Edit details`
    : APP_DENIED;

/** Returns true if the user can use a kind of authenticator app. */
export function isAppAllowed(profile: Profile | undefined, app: AppType): boolean {
  const isAllowed = app === 'mobile' ? profile?.hasPermissionForMobileApp : profile?.hasPermissionForWindowsApp;
  return isAllowed ?? false;
}

/** Returns true if the user can add a device, which requires the permission for either app (spec 1 §6). */
export function canAddDevice(profile: Profile | undefined): boolean {
  return isAppAllowed(profile, 'mobile') || isAppAllowed(profile, 'desktop');
}
