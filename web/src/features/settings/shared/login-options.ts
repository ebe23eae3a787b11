import { t } from '@lingui/core/macro';
import {
  type AppType,
  getOrgLoginOptions,
  type IntegrationType,
  type OrgLoginOptions,
  type SessionSettings,
} from '@orchestrate/shared';
import { useRead } from '#lib/api/use-read.ts';
import { formatDuration } from '#lib/format/numbers.ts';
import { useSession } from '#lib/session/session.ts';
import type { Ruling } from '#ui/form/switch.tsx';

interface CookieLife {
  seconds: number;
  /** Which setting decides, if it isn't the application's own cookie life. */
  reason?: string;
}

/**
 * How long an application's browsers are really remembered (decision 090), so that every screen says the same.
 * @param own the application's options, its cookie life in seconds
 */
export function cookieLifeOf(
  own: { maxCookieLife: number; forceAuthnEnabled: boolean },
  organisation: Pick<OrgLoginOptions, 'maxCookieLife' | 'forceAuthnEnabled'> | undefined,
): CookieLife {
  if (organisation?.forceAuthnEnabled || own.forceAuthnEnabled) {
    return { seconds: 0, reason: t`Browsers are not remembered, because authentication is forced.` };
  }
  const limit = organisation ? organisation.maxCookieLife * 60 : Number.POSITIVE_INFINITY;
  if (!(own.maxCookieLife > limit)) return { seconds: own.maxCookieLife };
  if (limit === 0) return { seconds: 0, reason: t`The organisation does not remember browsers.` };
  return { seconds: limit, reason: t`The organisation allows at most ${formatDuration(limit)}.` };
}

export type LoginOption = keyof {
  [Name in keyof SessionSettings as SessionSettings[Name] extends boolean ? Name : never]: 1;
};

interface OptionText {
  label: string;
  /** The effect on people, in one sentence. */
  help: string;
}

export const optionText: Record<LoginOption, OptionText> = {
  didEnabled: {
    label: t`Type code`,
    help: t`People can type an eight-character code into their authenticator instead of scanning.`,
  },
  webAuthnEnabled: {
    label: t`Passkeys`,
    help: t`People can sign in with a passkey in their browser or a security key.`,
  },
  desktopAppEnabled: {
    label: t`Desktop app`,
    help: t`People can register a computer as their authenticator and sign in with it.`,
  },
  forceAuthnEnabled: {
    label: t`Force authentication`,
    help: t`People approve every sign-in on a device; no browser is remembered.`,
  },
  stepUpAuthEnabled: {
    label: t`Step-up authentication`,
    help: t`To approve a sign-in, people also choose the number that the browser shows.`,
  },
  appLockEnabled: {
    label: t`App lock`,
    help: t`The authenticator asks for its PIN before it approves a sign-in.`,
  },
  logoutTogether: {
    label: t`Log out together`,
    help: t`Logging out of the portal ends the sign-ins to applications in that browser, and the other way round.`,
  },
};

/** Without a browser there is nothing to remember, and no passkey; LDAP cannot show a code. */
const OF_NETWORK: Partial<Record<IntegrationType, readonly (LoginOption | 'maxCookieLife')[]>> = {
  radius: ['didEnabled', 'desktopAppEnabled'],
  ldap: ['desktopAppEnabled'],
};

/** Whether applications of a type can have a login option. */
export const canHave = (type: IntegrationType, option: LoginOption | 'maxCookieLife'): boolean =>
  OF_NETWORK[type]?.includes(option) ?? true;

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
