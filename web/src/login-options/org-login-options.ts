import { t } from '@lingui/core/macro';
import { type AppType, getOrgLoginOptions, type OrgLoginOptions } from '@orchestrate/shared';
import { useRead } from '../lib/api/use-read.ts';
import { useSession } from '../lib/session/session.ts';
import type { Ruling } from '../ui/switch.tsx';

/** The text beside what the organisation has switched off. */
export const SWITCHED_OFF = t`Switched off for the whole organisation.`;

/** What the organisation rules for all its applications and members; everybody who is signed in may read it. */
export function useOrgLoginOptions() {
  return useRead(getOrgLoginOptions, useSession() ? {} : null);
}

const APPS = ['mobile', 'desktop'] as const satisfies readonly AppType[];

/** The app with which people register their first device, of those that are asked for; undefined where all are off. */
export const firstAppOf = (organisation: OrgLoginOptions | undefined, apps: readonly AppType[] = APPS) =>
  apps.find((app) => appSwitchObstacle(app, organisation) === undefined);

/** Why nobody in the organisation may use an app. Before that is known there is no reason: the server decides again. */
export function appSwitchObstacle(app: AppType, organisation: OrgLoginOptions | undefined): string | undefined {
  const isOn = app === 'mobile' ? organisation?.mobileAppEnabled : organisation?.desktopAppEnabled;
  return isOn === false ? SWITCHED_OFF : undefined;
}

/** The same for a switch that permits the app to one person. */
export function rulingOfApp(app: AppType, organisation: OrgLoginOptions | undefined): Ruling | undefined {
  const reason = appSwitchObstacle(app, organisation);
  return reason === undefined ? undefined : { isOn: false, reason };
}
