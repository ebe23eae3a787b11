import { type schema, type Tx, throttleRepo } from '@orchestrate/db';
import { DAY, HOUR, MINUTE, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import { inWords } from '#platform/times.ts';

/** Number of failures before the caller has to wait, and the time until each is forgiven (decision 143). */
export const THROTTLES = {
  /** Wrong pairs of email address and activation code from one network. */
  activation: { capacity: 20, everyMs: 3 * MINUTE },
  /** The same during a guessing attack on an organisation, for networks without an activated device. */
  'activation-search': { capacity: 3, everyMs: 8 * HOUR },
  /** Wrong codes for one email address from one network. Beyond it, the code looks locked to that network. */
  'activation-pair': { capacity: 5, everyMs: HOUR },
  'one-time-code': { capacity: 20, everyMs: 3 * MINUTE },
  'sign-up-notice': { capacity: 2, everyMs: DAY / 2 },
  /** Further codes emailed through one member's invitation links to an app. These aren't failures. */
  'invitation-link': { capacity: 3, everyMs: 4 * HOUR },
  'typed-code': { capacity: 20, everyMs: 3 * MINUTE },
  scim: { capacity: 20, everyMs: MINUTE },
  'client-secret': { capacity: 20, everyMs: MINUTE },
  /** Wrong user codes of devices from one network (RFC 8628 §5.1). */
  'user-code': { capacity: 20, everyMs: 3 * MINUTE },
  /**
   * Early polls of one device code. One second less than the announced interval, to allow for network delays.
   */
  'device-poll': { capacity: 1, everyMs: 4 * SECOND },
} as const satisfies Record<schema.ThrottleKind, throttleRepo.ThrottleSize>;

export interface ThrottleSubject {
  kind: schema.ThrottleKind;
  orgCode: string;
  /** A network (`networkOf`) or another key of the caller. */
  subject: string;
}

/** Returns the seconds until another attempt is allowed; 0 if one is allowed now. */
export function retryAfterSeconds({ clock }: Pick<Deps, 'clock'>, tx: Tx, subject: ThrottleSubject): number {
  const size = THROTTLES[subject.kind];
  const now = clock.now();
  const clearAt = throttleRepo.clearAtOf(tx, subject, size, now);
  return Math.max(Math.ceil((clearAt + size.everyMs - size.capacity * size.everyMs - now) / SECOND), 0);
}

/**
 * Requires that an attempt is allowed now.
 * @throws Refusal BAD_REQUEST with HTTP 429 and `Retry-After` after too many failures
 */
export function requireNotThrottled(deps: Pick<Deps, 'clock'>, tx: Tx, subject: ThrottleSubject): void {
  const seconds = retryAfterSeconds(deps, tx, subject);
  if (seconds > 0) throw tooManyTries(seconds);
}

/** Counts a failed attempt. */
export function countFailure({ clock }: Pick<Deps, 'clock'>, tx: Tx, subject: ThrottleSubject): void {
  throttleRepo.recordFailure(tx, subject, THROTTLES[subject.kind], clock.now());
}

/** Returns a refusal that asks the caller to wait: BAD_REQUEST with HTTP 429 and `Retry-After`. */
export function tooManyTries(
  retryAfterSeconds: number,
  message = `Too many failed attempts. Try again in ${inWords(retryAfterSeconds)}.`,
): Refusal {
  return new Refusal('BAD_REQUEST', { status: 429, message, retryAfterSeconds });
}
