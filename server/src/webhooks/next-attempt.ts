import { DAY, HOUR, MINUTE, SECOND } from '@orchestrate/shared';

/** As Standard Webhooks 1.0.0 suggests, "Deliverability and reliability": after each failure, how long to wait. */
const WAITS_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY];

/** A webhook that has taken nothing for so long is switched off. */
export const GIVEN_UP_AFTER_MS = 3 * DAY;

/** When it is sent again, in milliseconds since the epoch; null to give it up. @param attempts this one included */
export function nextAttemptOf(attempts: number, now: number): number | null {
  const wait = WAITS_MS[attempts - 1];
  return wait === undefined ? null : now + wait;
}
