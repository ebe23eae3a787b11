import type { LoginMode } from '@orchestrate/shared';

const CLASSES = 'urn:oasis:names:tc:SAML:2.0:ac:classes:';
/** A registered device with a key of its own that its owner unlocks (SAML 2.0 authentication context §3.4.7). */
const DEVICE = `${CLASSES}MobileTwoFactorContract`;
const PREVIOUS = `${CLASSES}PreviousSession`;
/** Requests the number that ties the device to the browser (decision 084). */
export const STEP_UP = 'https://refeds.org/profile/mfa';

/** Classes that every sign-in here satisfies, the strongest last: each line is stronger than the one before. */
const STRENGTHS: readonly (readonly string[])[] = [
  [`${CLASSES}unspecified`, PREVIOUS],
  [...['Password', 'PasswordProtectedTransport'].map((name) => `${CLASSES}${name}`), 'https://refeds.org/profile/sfa'],
  [DEVICE, `${CLASSES}MobileTwoFactorUnregistered`],
  [STEP_UP],
];
const strengthOf = (name: string): number => STRENGTHS.findIndex((names) => names.includes(name));

/**
 * The class that an answer will name for those requested (SAML 2.0 core §3.3.2.2.1); '' if any will do, undefined if
 * none can be given.
 */
export function agreedContext({ comparison, classes }: { comparison: string; classes: readonly string[] }) {
  if (classes.length === 0) return '';
  const known = classes.filter((name) => strengthOf(name) >= 0);
  const [first, ...others] = known;
  if (first === undefined) return undefined;
  switch (comparison) {
    case 'exact':
      return first;
    // As strong as possible, but no stronger than the strongest of them.
    case 'maximum':
      return others.reduce((most, name) => (strengthOf(name) > strengthOf(most) ? name : most), first);
    case 'minimum':
      return atLeast(Math.min(...known.map(strengthOf)));
    // Stronger than all of them: nothing can be said of one that we do not know.
    case 'better':
      return known.length < classes.length ? undefined : atLeast(Math.max(...known.map(strengthOf)) + 1);
    default:
      return undefined;
  }
}

/** A device signs in without being asked for more, so nothing weaker has to be named. */
function atLeast(strength: number): string | undefined {
  return [DEVICE, STEP_UP].find((name) => strengthOf(name) >= strength);
}

/** The class of an answer. @param agreed see `agreedContext` @param isStepUp see `reportsStepUp` */
export function contextOf(agreed: string, mode: LoginMode, isStepUp: boolean): string {
  if (agreed !== '') return agreed;
  if (isStepUp) return STEP_UP;
  return mode === 'COOKIE' ? PREVIOUS : DEVICE;
}
