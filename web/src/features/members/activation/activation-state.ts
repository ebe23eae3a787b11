import { t } from '@lingui/core/macro';
import { type ActivationData, type AppType, type Member, SECOND } from '@orchestrate/shared';

/** Returns a member's activation data for one app (spec 1 §3). */
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

/**
 * Display state of an activation code (spec 1 §4). `none` means that no code has ever been generated, which the API
 * reports as expired.
 */
type ActivationState = 'locked' | 'none' | 'expired' | 'valid';

export function activationStateOf(data: ActivationData): ActivationState {
  const { activationExpiry, activationExpired, activationLocked } = data;
  if (activationLocked) return 'locked';
  if (activationExpiry === null) return 'none';
  return activationExpired ? 'expired' : 'valid';
}

/** Formats milliseconds as `23 h 5 min` or `12 min`, and as seconds in the last minute. */
export function formatRemainingTime(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / SECOND));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? t`${minutes} min` : t`${hours} h ${minutes % 60} min`;
}
