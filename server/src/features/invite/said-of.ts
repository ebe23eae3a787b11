import { type InviteeCheck, resultOf } from '@orchestrate/shared';
import type { Verdict } from './judge-invitee.ts';

const UNCHANGED = {
  device: 'Has already registered a device.',
  invitation: 'Has already been invited.',
} as const;

/** Describes a verdict for a check. @param unknown why an unknown person can't be invited. */
export function saidOf(verdict: Verdict, unknown: string): Omit<InviteeCheck, 'email'> {
  switch (verdict.outcome) {
    case 'create':
      return { outcome: 'new' };
    case 'invite':
      return { outcome: 'member' };
    case 'unchanged':
      return { outcome: 'registered', reason: UNCHANGED[verdict.has] };
    case 'duplicate':
      return { outcome: 'duplicate' };
    case 'rejected':
      return { outcome: 'refused', reason: verdict.reason };
    case 'emailsNotExist':
      return { outcome: 'refused', reason: unknown };
    case 'mobileAppNotEnabled':
      return { outcome: 'refused', reason: resultOf('MOBILE_APP_NOT_ENABLED').sentence };
    case 'desktopAppNotEnabled':
      return { outcome: 'refused', reason: resultOf('DESKTOP_APP_NOT_ENABLED').sentence };
  }
}
