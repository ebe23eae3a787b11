import { t } from '@lingui/core/macro';
import type { AppType, Profile } from '@orchestrate/shared';
import { hasPermission } from './session.ts';

/** Text next to an app that the user isn't allowed to use (spec 1 §6). */
export const APP_DENIED = t`To enable this you can contact your Admin`;

/** Text next to a denied app for users who can edit members, and can therefore allow the app themselves. */
export const APP_DENIED_EDITABLE = t`You can allow this app under Edit details`;

/** Returns why the user can't use an app. Users who can edit members don't need to contact an Admin. */
export const appDeniedText = (profile: Profile | undefined): string =>
  hasPermission(profile, 'UPDATE_USER') && hasPermission(profile, 'SEARCH_USER')
    ? t`You can allow this app for yourself in Manage Users, under Edit details`
    : APP_DENIED;

/** Returns true if the user is allowed to use an authenticator app of this type. */
export function isAppAllowed(profile: Profile | undefined, app: AppType): boolean {
  const isAllowed = app === 'mobile' ? profile?.hasPermissionForMobileApp : profile?.hasPermissionForWindowsApp;
  return isAllowed ?? false;
}

/** Returns true if the user can add a device, which requires permission for at least one of the apps (spec 1 §6). */
export function canAddDevice(profile: Profile | undefined): boolean {
  return isAppAllowed(profile, 'mobile') || isAppAllowed(profile, 'desktop');
}
