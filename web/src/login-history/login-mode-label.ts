const labels: Record<string, string> = {
  QID: 'Scanned',
  DID: 'Typed code',
  PUSH: 'Request to device',
  COOKIE: 'Remembered browser',
  WEBAUTHN: 'Passkey',
  OIDC: 'Single sign-on',
};

/** The ways to sign in, in the order in which they are offered to choose from. */
export const loginModes: readonly string[] = Object.keys(labels);

/** How somebody signed in, for people; an unknown mode is shown as it is. */
export const loginModeLabel = (mode: string): string => labels[mode] ?? mode;
