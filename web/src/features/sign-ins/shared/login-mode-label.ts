import { t } from '@lingui/core/macro';

const labels: Record<string, string> = {
  QID: t`Scanned`,
  DID: t`Typed code`,
  PUSH: t`Request to device`,
  COOKIE: t`Remembered browser`,
  WEBAUTHN: t`Passkey`,
  OIDC: t`Single sign-on`,
};

/** The ways to sign in, in the order in which they are offered to choose from. */
export const loginModes: readonly string[] = Object.keys(labels);

/** How somebody signed in, for people; an unknown mode is shown as it is. */
export const loginModeLabel = (mode: string): string => labels[mode] ?? mode;
