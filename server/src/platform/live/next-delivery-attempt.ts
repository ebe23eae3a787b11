import { DAY, HOUR, MINUTE, SECOND } from '@orchestrate/shared';
import type { Random } from '../adapters/random.ts';
import type { ExternalTime } from '../times.ts';

/**
 * Delays after each failure, as suggested by Standard Webhooks 1.0.0, "Deliverability and reliability".
 */
const WAITS_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY];

/** Maximum fraction added to a delay. Jitter keeps deliveries that failed together from being retried together. */
export const JITTER = 0.1;

/** Status codes that can carry a `Retry-After` header (RFC 6585 §4, RFC 9110 §15.6.4). */
export const BUSY_STATUSES: readonly number[] = [429, 503];

/** Longest delay that a receiver can request. */
const RETRY_AFTER_MAX_MS = DAY;

export interface FailedDelivery {
  /** Number of attempts, including this one. */
  attempts: number;
  /** Delay requested by the receiver. */
  retryAfterMs: number;
  /** Random number from `drawChance`. */
  chance: number;
}

/** Returns a random number from 0 to 1 in steps of 0.001. */
export const drawChance = (random: Pick<Random, 'below'>): number => random.below(1_001) / 1_000;

/**
 * Returns the time of the next attempt, in milliseconds since the epoch, or null to give up. Waits at least as long
 * as the receiver requested in `Retry-After`.
 */
export function nextDeliveryAttempt({ attempts, retryAfterMs, chance }: FailedDelivery, now: number): number | null {
  const wait = WAITS_MS[attempts - 1];
  if (wait === undefined) return null;
  return now + Math.max(Math.round(wait * (1 + JITTER * chance)), retryAfterMs);
}

/**
 * Returns the delay in a `Retry-After` header (RFC 9110 §10.2.3; seconds or a date), in milliseconds and at most a
 * day. Returns 0 if the header is invalid or in the past.
 */
export function readRetryAfter(header: string | undefined, now: ExternalTime): number {
  if (header === undefined) return 0;
  const text = header.trim();
  const wait = /^\d+$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now;
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), RETRY_AFTER_MAX_MS);
}
