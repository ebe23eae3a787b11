import { DAY, HOUR, SECOND } from '@orchestrate/shared';

const FIRST_MS = 30 * SECOND;
const LONGEST_MS = HOUR;
/** RFC 5321 §4.5.4.1 asks for four to five days; the contents of our mails expire sooner. */
const GIVEN_UP_AFTER_MS = 3 * DAY;

/** How long to wait after this many failures in a row, in milliseconds: doubled each time, up to an hour. */
export const backOff = (failures: number): number => Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);

/**
 * When a mail that was not accepted is tried again, in milliseconds since the epoch; null to give it up.
 * @param attempts how often it has been tried, this time included.
 */
export function nextMailAttempt(
  { attempts, createdAt }: { attempts: number; createdAt: number },
  now: number,
): number | null {
  const next = now + backOff(attempts);
  return next - createdAt > GIVEN_UP_AFTER_MS ? null : next;
}
