import { type schema, type Tx, throttleRepo } from '@orchestrate/db';
import { DAY, HOUR, MINUTE, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import { durationInWords } from '#platform/times.ts';

/**
 * How many failures are allowed before a client has to wait, and how long until each failure is forgiven (decision
 * 143).
 */
export const THROTTLES = {
  /** Wrong combinations of email address and activation code from one network. */
  activation: { capacity: 20, everyMs: 3 * MINUTE },
  /** Like `activation`, but during a guessing attack on an organisation, for networks without an activated device. */
  'activation-search': { capacity: 3, everyMs: 8 * HOUR },
  /** Wrong codes for one email address from one network. Beyond this limit, the code appears locked to that network. */
  'activation-pair': { capacity: 5, everyMs: HOUR },
  'one-time-code': { capacity: 20, everyMs: 3 * MINUTE },
  'sign-up-notice': { capacity: 2, everyMs: DAY / 2 },
  /** Additional codes emailed through one member's invitation links to an app. These aren't failures. */
  'invitation-link': { capacity: 3, everyMs: 4 * HOUR },
  'typed-code': { capacity: 20, everyMs: 3 * MINUTE },
  scim: { capacity: 20, everyMs: MINUTE },
  'client-secret': { capacity: 20, everyMs: MINUTE },
  /** Wrong device user codes from one network (RFC 8628 §5.1). */
  'user-code': { capacity: 20, everyMs: 3 * MINUTE },
  /** Early polls with one device code. One second shorter than the announced interval, to allow for network delays. */
  'device-poll': { capacity: 1, everyMs: 4 * SECOND },
} as const satisfies Record<schema.ThrottleKind, throttleRepo.ThrottleLimit>;

export interface ThrottleSubject {
  kind: schema.ThrottleKind;
  orgCode: string;
  /** A network (`networkOf`) or another key that identifies the client. */
  subject: string;
}

/** Returns the seconds until another attempt is allowed, or 0 if an attempt is allowed now. */
export function retryAfterSeconds({ clock }: Pick<Deps, 'clock'>, tx: Tx, subject: ThrottleSubject): number {
  const size = THROTTLES[subject.kind];
  const now = clock.now();
  const clearAt = throttleRepo.effectiveClearAt(tx, subject, size, now);
  return Math.max(Math.ceil((clearAt + size.everyMs - size.capacity * size.everyMs - now) / SECOND), 0);
}

/**
 * Requires that an attempt is allowed now.
 * @throws Refusal BAD_REQUEST with HTTP 429 and `Retry-After` after too many failures
 */
export function requireNotThrottled(deps: Pick<Deps, 'clock'>, tx: Tx, subject: ThrottleSubject): void {
  const seconds = retryAfterSeconds(deps, tx, subject);
  if (seconds > 0) throw tooManyAttemptsRefusal(seconds);
}

/** Counts a failed attempt. */
export function countFailure({ clock }: Pick<Deps, 'clock'>, tx: Tx, subject: ThrottleSubject): void {
  throttleRepo.recordFailure(tx, subject, THROTTLES[subject.kind], clock.now());
}

/** Returns a refusal that makes the client wait: BAD_REQUEST with HTTP 429 and `Retry-After`. */
export function tooManyAttemptsRefusal(
  retryAfterSeconds: number,
  message = `Too many failed attempts. Try again in ${durationInWords(retryAfterSeconds)}.`,
): Refusal {
  return new Refusal('BAD_REQUEST', { status: 429, message, retryAfterSeconds });
}
