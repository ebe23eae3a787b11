import { t } from '@lingui/core/macro';
import type { SessionSettings } from '@orchestrate/shared';

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
