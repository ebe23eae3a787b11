import type { LoginMode } from '@orchestrate/shared';

const CLASSES = 'urn:oasis:names:tc:SAML:2.0:ac:classes:';
/** A registered device with a key of its own that its owner unlocks (SAML 2.0 authentication context §3.4.7). */
const DEVICE = `${CLASSES}MobileTwoFactorContract`;
const PREVIOUS = `${CLASSES}PreviousSession`;
/** Requests the number that ties the device to the browser (decision 084). */
export const STEP_UP = 'https://refeds.org/profile/mfa';

/** Classes that every sign-in here satisfies. */
const SATISFIED: readonly string[] = [
  ...[DEVICE, STEP_UP, PREVIOUS, 'https://refeds.org/profile/sfa'],
  ...['unspecified', 'Password', 'PasswordProtectedTransport', 'MobileTwoFactorUnregistered'].map(
    (name) => `${CLASSES}${name}`,
  ),
];

/**
 * The class that an answer will name, of those requested; '' if any will do, undefined if none can be given. A provider
 * that asks for at least or better than a class we know gets what we have.
 */
export function agreedContext({ comparison, classes }: { comparison: string; classes: readonly string[] }) {
  if (classes.length === 0) return '';
  const known = classes.find((name) => SATISFIED.includes(name));
  if (known === undefined || comparison === 'exact') return known;
  return ['minimum', 'better', 'maximum'].includes(comparison) ? '' : undefined;
}

/** The class of an answer. @param agreed see `agreedContext` */
export function contextOf(agreed: string, mode: LoginMode): string {
  if (agreed !== '') return agreed;
  return mode === 'COOKIE' ? PREVIOUS : DEVICE;
}
