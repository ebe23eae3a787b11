import { pushDenialRepo, type Tx } from '@orchestrate/db';
import { HOUR, MINUTE, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { networkOf } from '#platform/http/callers/network-of.ts';
import type { Refusal } from '#platform/refusal.ts';
import { durationInWords } from '#platform/times.ts';
import { isKnownBrowser, knownNetworks } from '../sign-in-origins.ts';
import { tooManyAttemptsRefusal } from '../throttles.ts';

/** Pause after one, two, three and more denials, in milliseconds. A fraud report counts as two denials. */
const PAUSES = [0, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR] as const;

/** Returns the pause after this many consecutive denials, in milliseconds. */
const pauseAfter = (denials: number): number => PAUSES[Math.min(denials, PAUSES.length) - 1] ?? 0;

/** A pause before the member's devices receive another request. */
export interface DenialPause {
  seconds: number;
  /** True if the denied request came from the same network or browser. */
  isFromThere: boolean;
}

/**
 * Returns the pause before a member who denied a push or an approval can receive another request from `ip` (decision
 * 144). Browsers and networks that the member has signed in from don't have to wait, unless they sent the denied
 * request.
 */
export function denialPause(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  orgCode: string,
  { suid, ip, browser }: { suid: string; ip: string; browser?: string | null | undefined },
): DenialPause | undefined {
  const { clock } = deps;
  const denied = pushDenialRepo.findPushDenials(tx, orgCode, suid);
  const since = denied ? clock.now() - denied.lastDeniedAt : 0;
  const left = denied ? pauseAfter(denied.denials) - since : 0;
  // If the clock was set back, the denial's age is negative and the pause no longer applies.
  if (!denied || left <= 0 || since < 0) return undefined;
  const person = { orgCode, suid };
  if (denied.browser !== browser && isKnownBrowser(deps, tx, person, browser)) return undefined;
  const network = networkOf(ip);
  const isFromThere = denied.network === network || (!!browser && denied.browser === browser);
  if (!isFromThere && knownNetworks(deps, tx, person).has(network)) return undefined;
  return { seconds: Math.ceil(left / SECOND), isFromThere };
}

/** Returns the refusal during a pause. @param otherwise an alternative to append, e.g. `, or sign in with a code` */
export const pauseRefusal = ({ seconds }: DenialPause, otherwise = ''): Refusal =>
  tooManyAttemptsRefusal(
    seconds,
    `The last request was denied on the device. Try again in ${durationInWords(seconds)}${otherwise}.`,
  );
