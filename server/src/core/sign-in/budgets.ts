import { type schema, type Tx, throttleRepo } from '@orchestrate/db';
import { DAY, HOUR, MINUTE, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import { inWords } from '#platform/times.ts';

/** How often something may fail before the caller has to wait (decision 143). */
export const BUDGETS = {
  /** Wrong pairs of email address and activation code from one network. */
  activation: { capacity: 20, everyMs: 3 * MINUTE },
  /** The same while an organisation is being searched, for networks from which nobody has activated a device. */
  'activation-search': { capacity: 3, everyMs: 8 * HOUR },
  /** Wrong codes for one address from one network: an unknown caller sees this as a locked code. */
  'activation-pair': { capacity: 5, everyMs: HOUR },
  'one-time-code': { capacity: 20, everyMs: 3 * MINUTE },
  'sign-up-notice': { capacity: 2, everyMs: DAY / 2 },
  /** Further codes mailed through the links of one member's invitations to an app: these are no failures. */
  'invitation-link': { capacity: 3, everyMs: 4 * HOUR },
  'typed-code': { capacity: 20, everyMs: 3 * MINUTE },
  scim: { capacity: 20, everyMs: MINUTE },
  'client-secret': { capacity: 20, everyMs: MINUTE },
  /** Wrong user codes of devices from one network (RFC 8628 §5.1). */
  'user-code': { capacity: 20, everyMs: 3 * MINUTE },
  /**
   * Polls of one device code that came too early: one second less than the interval we announce, to allow for the
   * network.
   */
  'device-poll': { capacity: 1, everyMs: 4 * SECOND },
} as const satisfies Record<schema.ThrottleKind, throttleRepo.ThrottleSize>;

export interface Trier {
  kind: schema.ThrottleKind;
  orgCode: string;
  /** A network (`networkOf`), or another name for the caller. */
  subject: string;
}

/** Seconds until another failure is allowed; 0 if one is allowed now. */
export function secondsUntilRoom({ clock }: Pick<Deps, 'clock'>, tx: Tx, trier: Trier): number {
  const size = BUDGETS[trier.kind];
  const now = clock.now();
  const clearAt = throttleRepo.clearAtOf(tx, trier, size, now);
  return Math.max(Math.ceil((clearAt + size.everyMs - size.capacity * size.everyMs - now) / SECOND), 0);
}

/**
 * Checks the budget before an attempt.
 * @throws Refusal BAD_REQUEST with HTTP 429 and `Retry-After` where too much has failed
 */
export function requireRoom(deps: Pick<Deps, 'clock'>, tx: Tx, trier: Trier): void {
  const seconds = secondsUntilRoom(deps, tx, trier);
  if (seconds > 0) throw tooManyTries(seconds);
}

/** Counts a failed attempt. */
export function countFailure({ clock }: Pick<Deps, 'clock'>, tx: Tx, trier: Trier): void {
  throttleRepo.recordFailure(tx, trier, BUDGETS[trier.kind], clock.now());
}

/** The refusal of somebody who has to wait: BAD_REQUEST with HTTP 429 and `Retry-After`. */
export function tooManyTries(
  retryAfterSeconds: number,
  message = `Too many failed attempts. Try again in ${inWords(retryAfterSeconds)}.`,
): Refusal {
  return new Refusal('BAD_REQUEST', { status: 429, message, retryAfterSeconds });
}
