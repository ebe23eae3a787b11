import type { memberRepo } from '@orchestrate/db';
import { type ActivationData, LIMITS } from '@orchestrate/shared';
import { isoOf } from '#platform/times.ts';

/**
 * Activation data of one app as the API returns it. A used code looks the same as one that was never issued.
 * @param row the last issued code, undefined where there is none.
 * @param maySee whether the code itself is shown.
 */
export function activationDataOf(
  row: memberRepo.ActivationCodeView | undefined,
  now: number,
  maySee: boolean,
): ActivationData {
  if (!row || row.usedAt !== null) {
    return { activationCode: '', activationExpiry: null, activationExpired: true, activationLocked: false };
  }
  return {
    activationCode: maySee ? row.code : '',
    activationExpiry: isoOf(row.expiresAt),
    activationExpired: row.expiresAt <= now,
    activationLocked: row.wrongTries >= LIMITS.activationCodeTries,
  };
}
