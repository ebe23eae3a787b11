import { failureBudgetRepo, type schema, type Tx } from '@orchestrate/db';
import { DAY, HOUR, MINUTE, SECOND } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../platform/refusal.ts';

/** How often something may fail before the caller has to wait: the numbers are decision 143's. */
export const BUDGETS = {
  /** Wrong pairs of e-mail address and activation code from one network. */
  activation: { capacity: 20, everyMs: 3 * MINUTE },
  /** The same while an organisation is searched, from a network that nobody has activated a device from. */
  'activation-search': { capacity: 3, everyMs: 8 * HOUR },
  /** Wrong codes for one address from one network: what a locked code looks like to somebody who is nobody. */
  'activation-pair': { capacity: 5, everyMs: HOUR },
  'one-time-code': { capacity: 20, everyMs: 3 * MINUTE },
  'sign-up-notice': { capacity: 2, everyMs: DAY / 2 },
  'typed-code': { capacity: 20, everyMs: 3 * MINUTE },
  scim: { capacity: 20, everyMs: MINUTE },
  'client-secret': { capacity: 20, everyMs: MINUTE },
} as const satisfies Record<schema.BudgetKind, failureBudgetRepo.BudgetSize>;

export interface Trier {
  kind: schema.BudgetKind;
  orgCode: string;
  /** A network (`networkOf`), or another name for who tries. */
  subject: string;
}

/** Seconds until one more failure is allowed; 0 where one is. */
export function secondsUntilRoom({ clock }: Pick<Deps, 'clock'>, tx: Tx, trier: Trier): number {
  const { capacity, everyMs } = BUDGETS[trier.kind];
  const { clearAt = 0 } = failureBudgetRepo.findFailureBudget(tx, trier) ?? {};
  return Math.max(Math.ceil((clearAt + everyMs - capacity * everyMs - clock.now()) / SECOND), 0);
}

/**
 * Before something is tried.
 * @throws Refusal BAD_REQUEST with HTTP 429 and `Retry-After` where too much has failed
 */
export function requireRoom(deps: Pick<Deps, 'clock'>, tx: Tx, trier: Trier): void {
  const seconds = secondsUntilRoom(deps, tx, trier);
  if (seconds > 0) throw tooManyTries(seconds);
}

/** After something has failed. */
export function countFailure({ clock }: Pick<Deps, 'clock'>, tx: Tx, trier: Trier): void {
  failureBudgetRepo.spendFailure(tx, trier, BUDGETS[trier.kind], clock.now());
}

export function tooManyTries(
  retryAfterSeconds: number,
  message = `Too many tries have failed. Try again in ${inWords(retryAfterSeconds)}.`,
): Refusal {
  return new Refusal('BAD_REQUEST', { status: 429, message, retryAfterSeconds });
}

/** E.g. `40 seconds`, `3 minutes` or `8 hours`. */
export function inWords(seconds: number): string {
  if (seconds < 100) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
