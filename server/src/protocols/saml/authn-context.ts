import type { LoginMode } from '@orchestrate/shared';

const CLASSES = 'urn:oasis:names:tc:SAML:2.0:ac:classes:';
/** Class for a registered device with its own key, unlocked by the owner (SAML 2.0 authentication context §3.4.7). */
const DEVICE = `${CLASSES}MobileTwoFactorContract`;
const PREVIOUS = `${CLASSES}PreviousSession`;
/** Class for step-up. Requires the number that ties the device to the browser (decision 084). */
export const STEP_UP = 'https://refeds.org/profile/mfa';

/** Classes that sign-ins can satisfy, from weakest to strongest. Classes in the same entry are equally strong. */
const STRENGTHS: readonly (readonly string[])[] = [
  [`${CLASSES}unspecified`, PREVIOUS],
  [...['Password', 'PasswordProtectedTransport'].map((name) => `${CLASSES}${name}`), 'https://refeds.org/profile/sfa'],
  [DEVICE, `${CLASSES}MobileTwoFactorUnregistered`],
  [STEP_UP],
];
const strengthOf = (name: string): number => STRENGTHS.findIndex((names) => names.includes(name));

/**
 * Returns the class to declare in response to the requested classes (SAML 2.0 core §3.3.2.2.1): '' if any class will
 * do, undefined if none can be satisfied.
 */
export function agreedContext({ comparison, classes }: { comparison: string; classes: readonly string[] }) {
  if (classes.length === 0) return '';
  const known = classes.filter((name) => strengthOf(name) >= 0);
  const [first, ...others] = known;
  if (first === undefined) return undefined;
  switch (comparison) {
    case 'exact':
      return first;
    // Choose the strongest class that is no stronger than the strongest requested class.
    case 'maximum':
      return others.reduce((most, name) => (strengthOf(name) > strengthOf(most) ? name : most), first);
    case 'minimum':
      return atLeast(Math.min(...known.map(strengthOf)));
    // The class must be stronger than all requested classes, which can't be decided if a requested class is unknown.
    case 'better':
      return known.length < classes.length ? undefined : atLeast(Math.max(...known.map(strengthOf)) + 1);
    default:
      return undefined;
  }
}

/**
 * Returns the weakest declarable class with at least this strength. Every device sign-in satisfies DEVICE, so weaker
 * classes need not be declared.
 */
function atLeast(strength: number): string | undefined {
  return [DEVICE, STEP_UP].find((name) => strengthOf(name) >= strength);
}

/**
 * Returns the class to declare.
 * @param agreed see `agreedContext`
 * @param isStepUp see `reportsStepUp`
 */
export function contextOf(agreed: string, mode: LoginMode, isStepUp: boolean): string {
  if (agreed !== '') return agreed;
  if (isStepUp) return STEP_UP;
  return mode === 'COOKIE' ? PREVIOUS : DEVICE;
}
