import { t } from '@lingui/core/macro';
import { type AppType, getOrgLoginOptions, type OrgLoginOptions } from '@orchestrate/shared';
import { useRead } from '../lib/api/use-read.ts';
import { useSession } from '../lib/session/session.ts';

/** The text beside what the organisation has switched off. */
export const SWITCHED_OFF = t`Switched off for the whole organisation.`;

/** What the organisation rules for all its applications and members; everybody who is signed in may read it. */
export function useOrgLoginOptions() {
  return useRead(getOrgLoginOptions, useSession() ? {} : null);
}

/** Why nobody in the organisation may use an app. Before that is known there is no reason: the server decides again. */
export function appSwitchObstacle(app: AppType, organisation: OrgLoginOptions | undefined): string | undefined {
  const isOn = app === 'mobile' ? organisation?.mobileAppEnabled : organisation?.desktopAppEnabled;
  return isOn === false ? SWITCHED_OFF : undefined;
}
