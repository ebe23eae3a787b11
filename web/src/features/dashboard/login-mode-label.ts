const labels: Record<string, string> = {
  QID: 'Scanned',
  DID: 'Typed code',
  PUSH: 'Request to device',
  COOKIE: 'Remembered browser',
  WEBAUTHN: 'Passkey',
  OIDC: 'Single sign-on',
};

/** How somebody signed in, for people; a mode that is not known is shown as it came. */
export const loginModeLabel = (mode: string): string => labels[mode] ?? mode;
