import { type AppType, DAY, HOUR, LIMITS, SECOND } from '@orchestrate/shared';
import type { activationCodes } from '../schema/index.ts';
import type { KeySource } from './key-source.ts';
import { isNewcomer, type Person } from './person.ts';
import type { Unsealed } from './table-rows.ts';

export type CodeRow = Unsealed<typeof activationCodes.$inferInsert>;

type CodeState = 'valid' | 'expired' | 'locked' | 'none';

/** Assigned to newcomers in rotation to cover every state. */
const MOBILE_STATES: readonly CodeState[] = ['valid', 'valid', 'expired', 'valid', 'locked', 'valid', 'none'];
/** Assigned in rotation to every twentieth member who already has a device. */
const DESKTOP_STATES: readonly CodeState[] = ['expired', 'valid', 'locked'];
const DESKTOP_EVERY = 20;

const LIFETIME = LIMITS.activationCodeLifetimeSeconds * SECOND;

/** Returns activation codes that are valid, expired or locked. */
export function demoActivationCodes(people: readonly Person[], base: number, source: KeySource): CodeRow[] {
  const newcomers = people.filter((person) => isNewcomer(person) && person.accountStatus !== 'unverified');
  const registered = people.filter(
    (person) => person.accountStatus === 'active' && person.hasPermissionForWindowsApp !== false,
  );
  const from = { base, source };
  return [
    ...newcomers.map((person, index) => codeOf(person, 'mobile', MOBILE_STATES[index % MOBILE_STATES.length], from)),
    ...registered
      .filter((_, index) => index % DESKTOP_EVERY === DESKTOP_EVERY - 1)
      .map((person, index) => codeOf(person, 'desktop', DESKTOP_STATES[index % DESKTOP_STATES.length], from)),
  ].filter((code) => code !== undefined);
}

function codeOf(
  { suid, orgCode }: Person,
  type: AppType,
  state: CodeState = 'none',
  { base, source }: { base: number; source: KeySource },
): CodeRow | undefined {
  if (state === 'none') return undefined;
  const prng = source.prng(`${type} code ${suid}`);
  const age = state === 'expired' ? LIFETIME + prng.below(20 * DAY) : HOUR + prng.below(LIFETIME - 3 * HOUR);
  const issuedAt = base - age;
  return {
    suid,
    type,
    orgCode,
    code: prng.digits(LIMITS.activationCodeLength),
    issuedAt,
    expiresAt: issuedAt + LIFETIME,
    wrongTries: state === 'locked' ? LIMITS.activationCodeTries : 0,
    wrongTriesInAll: state === 'locked' ? LIMITS.activationCodeTriesInAll : 0,
  };
}
