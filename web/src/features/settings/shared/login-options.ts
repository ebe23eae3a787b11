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
import type { Override } from '#ui/form/switch.tsx';

interface CookieLife {
  seconds: number;
  /** Organisation rule that applies. Undefined if the application's own cookie life applies. */
  reason?: string;
}

/**
 * Calculates how long an application's browsers are actually remembered (decision 090). Every screen uses this
 * calculation.
 * @param own the application's options, with the cookie life in seconds
 */
export function cookieLifeOf(
  own: { maxCookieLife: number; forceAuthnEnabled: boolean },
  organisation: Pick<OrgLoginOptions, 'maxCookieLife' | 'forceAuthnEnabled'> | undefined,
): CookieLife {
  if (organisation?.forceAuthnEnabled || own.forceAuthnEnabled) {
    return { seconds: 0, reason: t`The portal doesn't remember browsers, because authentication is forced.` };
  }
  const limit = organisation ? organisation.maxCookieLife * 60 : Number.POSITIVE_INFINITY;
  if (!(own.maxCookieLife > limit)) return { seconds: own.maxCookieLife };
  if (limit === 0) return { seconds: 0, reason: t`The organisation doesn't remember browsers.` };
  return { seconds: limit, reason: t`The organisation's limit is ${formatDuration(limit)}.` };
}

export type LoginOption = keyof {
  [Name in keyof SessionSettings as SessionSettings[Name] extends boolean ? Name : never]: 1;
};

interface OptionText {
  label: string;
  /** One sentence about the effect on users. */
  help: string;
}

export const OPTION_TEXTS: Record<LoginOption, OptionText> = {
  didEnabled: {
    label: t`Type code`,
    help: t`People can type an eight-character code into their authenticator instead of scanning a QR code.`,
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
    help: t`People have to approve every sign-in on a device, and no browser is remembered.`,
  },
  stepUpAuthEnabled: {
    label: t`Step-up authentication`,
    help: t`To approve a sign-in, people also have to choose the number that the browser displays.`,
  },
  appLockEnabled: {
    label: t`App lock`,
    help: t`The authenticator asks for its PIN before it approves a sign-in.`,
  },
  logoutTogether: {
    label: t`Log out together`,
    help: t`Logging out of the portal also logs people out of applications in that browser, and vice versa.`,
  },
};

/**
 * Login options that apply to RADIUS and LDAP applications. Cookies and passkeys need a browser, and LDAP can't
 * display a code.
 */
const OF_NETWORK: Partial<Record<IntegrationType, readonly (LoginOption | 'maxCookieLife')[]>> = {
  radius: ['didEnabled', 'desktopAppEnabled'],
  ldap: ['desktopAppEnabled'],
};

/** Returns true if applications of this type support a login option. */
export const supportsOption = (type: IntegrationType, option: LoginOption | 'maxCookieLife'): boolean =>
  OF_NETWORK[type]?.includes(option) ?? true;

/** Reason displayed for an option that the organisation has disabled. */
export const DISABLED_FOR_ORGANISATION = t`Disabled for the whole organisation.`;

/** Loads the organisation's rules for its applications and members. Every signed-in user can view them. */
export function useOrgLoginOptions() {
  return useRead(getOrgLoginOptions, useSession() ? {} : null);
}

const APPS = ['mobile', 'desktop'] as const satisfies readonly AppType[];

/** Returns the first app that the organisation allows for registering a device, or undefined if it allows none. */
export const firstAppOf = (organisation: OrgLoginOptions | undefined, apps: readonly AppType[] = APPS) =>
  apps.find((app) => appSwitchObstacle(app, organisation) === undefined);

/**
 * Returns why the organisation doesn't allow an app. Returns undefined until the settings are loaded, because the
 * server enforces them anyway.
 */
export function appSwitchObstacle(app: AppType, organisation: OrgLoginOptions | undefined): string | undefined {
  const isOn = app === 'mobile' ? organisation?.mobileAppEnabled : organisation?.desktopAppEnabled;
  return isOn === false ? DISABLED_FOR_ORGANISATION : undefined;
}

/** Returns how the organisation overrides the switch that allows an app to a member, or undefined if it doesn't. */
export function appOverrideOf(app: AppType, organisation: OrgLoginOptions | undefined): Override | undefined {
  const reason = appSwitchObstacle(app, organisation);
  return reason === undefined ? undefined : { isOn: false, reason };
}
