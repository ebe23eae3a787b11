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
    label: 'Type code',
    help: 'People may type an eight-character code into their authenticator instead of scanning.',
  },
  webAuthnEnabled: {
    label: 'Passkeys',
    help: 'People may sign in with a passkey in their browser or a security key.',
  },
  desktopAppEnabled: {
    label: 'Desktop app',
    help: 'People may register a computer as their authenticator and sign in with it.',
  },
  forceAuthnEnabled: {
    label: 'Force authentication',
    help: 'People approve every sign-in on a device; no browser is remembered.',
  },
  stepUpAuthEnabled: {
    label: 'Step-up authentication',
    help: 'To approve a sign-in, people also choose the number that the browser shows.',
  },
  appLockEnabled: {
    label: 'App lock',
    help: 'The authenticator asks for its PIN before it approves a sign-in.',
  },
  logoutTogether: {
    label: 'Log out together',
    help: 'Logging out of the portal ends the sign-ins to applications in that browser, and the other way round.',
  },
};
