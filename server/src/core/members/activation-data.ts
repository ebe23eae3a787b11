import type { memberRepo } from '@orchestrate/db';
import { type ActivationData, LIMITS } from '@orchestrate/shared';
import { isoOf } from '#platform/times.ts';

/**
 * Returns an app's activation data for the API. A used code looks as if it had never been issued.
 * @param row the last issued code, if any
 * @param maySee true to include the code itself
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
