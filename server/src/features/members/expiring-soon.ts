import type { expiringCodeRepo } from '@orchestrate/db';
import { HOUR, LIMITS } from '@orchestrate/shared';

/** Returns the activation codes that the dashboard warns of: valid at `now`, in milliseconds, but not for long. */
export const expiringSoon = (now: number): expiringCodeRepo.ExpiringCodeFilter => ({
  triesAllowed: LIMITS.activationCodeTries,
  now,
  before: now + LIMITS.codeExpiresSoonHours * HOUR,
});
