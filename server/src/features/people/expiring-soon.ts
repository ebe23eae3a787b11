import type { expiringCodeRepo } from '@orchestrate/db';
import { DAY, LIMITS } from '@orchestrate/shared';

/** The activation codes of which the dashboard warns: valid at `now`, in milliseconds, and for a day at most. */
export const expiringSoon = (now: number): expiringCodeRepo.ExpiringCodes => ({
  triesAllowed: LIMITS.activationCodeTries,
  now,
  before: now + DAY,
});
