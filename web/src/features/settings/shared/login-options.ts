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
  /** Name of the setting that decides, if it isn't the application's own cookie life. */
  reason?: string;
}

/**
 * Calculates how long an application's browsers are actually remembered (decision 090), so that every screen shows the
 * same.
 * @param own the application's options, with its cookie life in seconds
 */
export function cookieLifeOf(
  own: { maxCookieLife: number; forceAuthnEnabled: boolean },
  organisation: Pick<OrgLoginOptions, 'maxCookieLife' | 'forceAuthnEnabled'> | undefined,
): CookieLife {
  if (organisation?.forceAuthnEnabled || own.forceAuthnEnabled) {
    return { seconds: 0, reason: t`Browsers aren't remembered, because authentication is forced.` };
  }
  const limit = organisation ? organisation.maxCookieLife * 60 : Number.POSITIVE_INFINITY;
  if (!(own.maxCookieLife > limit)) return { seconds: own.maxCookieLife };
  if (limit === 0) return { seconds: 0, reason: t`The organisation doesn't remember browsers.` };
  return { seconds: limit, reason: t`The organisation allows at most ${formatDuration(limit)}.` };
}

export type LoginOption = keyof {
  [Name in keyof SessionSettings as SessionSettings[Name] extends boolean ? Name : never]: 1;
};

interface OptionText {
  label: string;
  /** Effect on users, in one sentence. */
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
    help: t`Logging out of the portal also logs you out of applications in that browser, and vice versa.`,
  },
};

/** Without a browser, cookies and passkeys don't apply; LDAP can't display a code. */
const OF_NETWORK: Partial<Record<IntegrationType, readonly (LoginOption | 'maxCookieLife')[]>> = {
  radius: ['didEnabled', 'desktopAppEnabled'],
  ldap: ['desktopAppEnabled'],
};

/** True if applications of a type can have a login option. */
export const canHave = (type: IntegrationType, option: LoginOption | 'maxCookieLife'): boolean =>
  OF_NETWORK[type]?.includes(option) ?? true;

/** Reason for an option that the organisation has disabled. */
export const SWITCHED_OFF = t`Disabled for the whole organisation.`;

/** Reads the organisation's rules for its applications and members, which every signed-in user can view. */
export function useOrgLoginOptions() {
  return useRead(getOrgLoginOptions, useSession() ? {} : null);
}

const APPS = ['mobile', 'desktop'] as const satisfies readonly AppType[];

/** Returns the first of these apps that the organisation allows for registering a device; undefined if none is. */
export const firstAppOf = (organisation: OrgLoginOptions | undefined, apps: readonly AppType[] = APPS) =>
  apps.find((app) => appSwitchObstacle(app, organisation) === undefined);

/**
 * Returns why the organisation doesn't allow an app. Undefined until the settings are known: the server decides in any
 * case.
 */
export function appSwitchObstacle(app: AppType, organisation: OrgLoginOptions | undefined): string | undefined {
  const isOn = app === 'mobile' ? organisation?.mobileAppEnabled : organisation?.desktopAppEnabled;
  return isOn === false ? SWITCHED_OFF : undefined;
}

/** Returns the override for a switch that allows the app to one member. */
export function rulingOfApp(app: AppType, organisation: OrgLoginOptions | undefined): Ruling | undefined {
  const reason = appSwitchObstacle(app, organisation);
  return reason === undefined ? undefined : { isOn: false, reason };
}
