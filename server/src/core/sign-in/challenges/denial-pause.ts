import { loginHistoryRepo, pushDenialRepo, type Tx } from '@orchestrate/db';
import { HOUR, MINUTE, SECOND } from '@orchestrate/shared';
import type { Deps } from '../../../deps.ts';
import { networkOf } from '../../../platform/http/callers/network-of.ts';
import type { Refusal } from '../../../platform/refusal.ts';
import { inWords } from '../../../platform/waiting-time.ts';
import { tooManyTries } from '../budgets.ts';

/**
 * How long a person is not asked again after one denial, two, three and so on, in milliseconds; a report of fraud
 * counts as two.
 */
const PAUSES = [0, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR] as const;

/** How many of a person's latest sign-ins are checked for the networks they sign in from. */
const LATEST_SIGN_INS = 20;

/** Milliseconds of pause after this many denials in a row. */
const pauseAfter = (denials: number): number => PAUSES[Math.min(denials, PAUSES.length) - 1] ?? 0;

/** How long a person's devices are not asked again. */
export interface DenialPause {
  seconds: number;
  /** Whether the denied request came from the same network. */
  isFromThere: boolean;
}

/**
 * The pause before a person who has just denied a push or an approval may get another one from `ip` (decision 144). A
 * network from which they have signed in lately has no pause, unless the denied request came from there.
 */
export function denialPause(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  orgCode: string,
  { suid, ip }: { suid: string; ip: string },
): DenialPause | undefined {
  const denied = pushDenialRepo.findPushDenials(tx, orgCode, suid);
  const since = denied ? clock.now() - denied.lastDeniedAt : 0;
  const left = denied ? pauseAfter(denied.denials) - since : 0;
  // A denial of a time that has not come was before the clock was set back.
  if (!denied || left <= 0 || since < 0) return undefined;
  const network = networkOf(ip);
  const isFromThere = denied.network === network;
  if (!isFromThere && signsInFrom(tx, orgCode, suid, network)) return undefined;
  return { seconds: Math.ceil(left / SECOND), isFromThere };
}

/** @param otherwise what the person can do instead, e.g. `, or sign in with a code` */
export const askedTooSoon = ({ seconds }: DenialPause, otherwise = ''): Refusal =>
  tooManyTries(seconds, `The last request was denied on the device. Ask again in ${inWords(seconds)}${otherwise}.`);

function signsInFrom(tx: Tx, orgCode: string, suid: string, network: string): boolean {
  return loginHistoryRepo
    .listLoginHistory(tx, orgCode, suid, { count: LATEST_SIGN_INS })
    .some(({ loginStatus, ip }) => loginStatus === 'Success' && networkOf(ip) === network);
}
