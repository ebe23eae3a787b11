import type { LoginMode } from '@orchestrate/shared';

const CLASSES = 'urn:oasis:names:tc:SAML:2.0:ac:classes:';
/** A registered device with a key of its own that its owner unlocks (SAML 2.0 authentication context §3.4.7). */
const DEVICE = `${CLASSES}MobileTwoFactorContract`;
const PREVIOUS = `${CLASSES}PreviousSession`;
/** Asks for the number that ties the device to the browser (decision 117). */
export const STEP_UP = 'https://refeds.org/profile/mfa';

/** What every sign-in here is at least as good as. */
const SATISFIED: readonly string[] = [
  ...[DEVICE, STEP_UP, PREVIOUS, 'https://refeds.org/profile/sfa'],
  ...['unspecified', 'Password', 'PasswordProtectedTransport', 'MobileTwoFactorUnregistered'].map(
    (name) => `${CLASSES}${name}`,
  ),
];

/**
 * The class that an answer will name, of those that are asked for; '' where any will do, undefined where none can be given.
 * Whoever asks for at least or better than a class that we know gets what we have.
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
