import type { expiringCodeRepo } from '@orchestrate/db';
import { HOUR, LIMITS } from '@orchestrate/shared';

/** The activation codes of which the dashboard warns: valid at `now`, in milliseconds, and not for much longer. */
export const expiringSoon = (now: number): expiringCodeRepo.ExpiringCodeFilter => ({
  triesAllowed: LIMITS.activationCodeTries,
  now,
  before: now + LIMITS.codeExpiresSoonHours * HOUR,
});
