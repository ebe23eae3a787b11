import { t } from '@lingui/core/macro';

const labels: Record<string, string> = {
  QID: t`Scanned code`,
  DID: t`Typed code`,
  PUSH: t`Request to device`,
  COOKIE: t`Remembered browser`,
  WEBAUTHN: t`Passkey`,
  OIDC: t`Single sign-on`,
};

/** Sign-in modes, in menu order. */
export const signInModes: readonly string[] = Object.keys(labels);

/** Returns the display name of a sign-in mode; an unknown mode is returned unchanged. */
export const signInModeLabel = (mode: string): string => labels[mode] ?? mode;
