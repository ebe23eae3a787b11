import { type ActivationData, type AppType, type Member, SECOND } from '@orchestrate/shared';

/** The activation code of one of a member's apps, out of the fields that spec 1 §3 gives a member. */
export function activationOf(member: Member, app: AppType): ActivationData {
  if (app === 'mobile') {
    const { activationCode, activationExpiry, activationExpired, activationLocked } = member;
    return { activationCode, activationExpiry, activationExpired, activationLocked };
  }
  return {
    activationCode: member.desktopActivationCode,
    activationExpiry: member.desktopActivationExpiry,
    activationExpired: member.desktopActivationExpired,
    activationLocked: member.desktopActivationLocked,
  };
}

/** What a code is shown as (spec 1 §4); `none` is an expired one that never was. */
export type ActivationState = 'locked' | 'none' | 'expired' | 'valid';

export function activationStateOf({ activationExpiry, activationExpired, activationLocked }: ActivationData) {
  if (activationLocked) return 'locked';
  if (activationExpiry === null) return 'none';
  return activationExpired ? 'expired' : 'valid';
}

/** `23 h 5 min`, `12 min`, and by the second in the last minute; from milliseconds. */
export function formatRemaining(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / SECOND));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}
