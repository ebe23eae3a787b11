import { t } from '@lingui/core/macro';
import type { AppType, Profile } from '@orchestrate/shared';
import { hasPermission } from './session.ts';

/** The text beside an app that is denied (spec 1 §6). */
export const APP_DENIED = t`To enable this you can contact your Admin`;

/** The same for people who may edit members: they allow it themselves. */
export const APP_DENIED_HERE = t`Allow this app with Edit details`;

/** Why you cannot use an app yourself: people who may edit members are their own Admin. */
export const appDeniedText = (profile: Profile | undefined): string =>
  hasPermission(profile, 'UPDATE_USER') && hasPermission(profile, 'SEARCH_USER')
    ? t`Allow this app for yourself in Manage Users, with Edit details`
    : APP_DENIED;

/** Whether a person may use this kind of authenticator app. */
export function isAppAllowed(profile: Profile | undefined, app: AppType): boolean {
  const isAllowed = app === 'mobile' ? profile?.hasPermissionForMobileApp : profile?.hasPermissionForWindowsApp;
  return isAllowed ?? false;
}

/** Adding a device is allowed with the permission for either app (spec 1 §6). */
export function canAddDevice(profile: Profile | undefined): boolean {
  return isAppAllowed(profile, 'mobile') || isAppAllowed(profile, 'desktop');
}
