import { DAY, HOUR, MINUTE, SECOND } from '@orchestrate/shared';
import type { Random } from '../adapters/random.ts';
import type { ExternalTime } from '../times.ts';

/**
 * How long to wait after each failure of a receiver: as Standard Webhooks 1.0.0 suggests, "Deliverability and
 * reliability".
 */
const WAITS_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY];

/**
 * The next attempt is later by up to this fraction of the wait, so that deliveries that failed together do not come
 * back together.
 */
export const JITTER = 0.1;

/**
 * 429 and 503: with these answers a receiver may say when it wants to be asked again (RFC 6585 §4, RFC 9110 §15.6.4).
 */
export const BUSY: readonly number[] = [429, 503];

/** No receiver can postpone longer than the longest wait. */
const RETRY_AFTER_MAX_MS = DAY;

export interface Failure {
  /** This one included. */
  attempts: number;
  /** How long the receiver asked not to be sent anything. */
  retryAfterMs: number;
  /** See `drawChance`. */
  chance: number;
}

/** Random, from 0 to 1, in steps of a thousandth. */
export const drawChance = (random: Pick<Random, 'below'>): number => random.below(1_001) / 1_000;

/** When it is sent again, in milliseconds since the epoch: never before the receiver wants it; null to give it up. */
export function nextDeliveryAttempt({ attempts, retryAfterMs, chance }: Failure, now: number): number | null {
  const wait = WAITS_MS[attempts - 1];
  if (wait === undefined) return null;
  return now + Math.max(Math.round(wait * (1 + JITTER * chance)), retryAfterMs);
}

/**
 * Milliseconds of a `Retry-After` (RFC 9110 §10.2.3): seconds, or a date; 0 if it is neither, or past. At most a day.
 */
export function readRetryAfter(header: string | undefined, now: ExternalTime): number {
  if (header === undefined) return 0;
  const text = header.trim();
  const wait = /^\d+$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now;
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), RETRY_AFTER_MAX_MS);
}
