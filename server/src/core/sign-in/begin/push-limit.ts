import { challengeRepo, type organisationRepo, type Tx } from '@orchestrate/db';
import { LIMITS, SECOND } from '@orchestrate/shared';
import type { Deps } from '../../../deps.ts';
import type { Refusal } from '../../../platform/refusal.ts';
import { inWords } from '../../../platform/waiting-time.ts';
import { tooManyTries } from '../budgets.ts';
import { isSignIn } from '../login-policy.ts';
import { isKnownBrowser, knownNetworks } from '../sign-in-origins.ts';

interface RequestedPush {
  /** '' if no device can answer. */
  suid: string;
  /** The name as entered, in lower case. */
  askedFor: string;
  network: string;
  browser: string | null | undefined;
}

/**
 * Decides whether a push is withheld from the person's devices because too many are waiting (decision 144). Each browser
 * and network in which the person has signed in has a limit of its own; all others share one, so that strangers can't use
 * up the person's.
 * @throws Refusal BAD_REQUEST (HTTP 429) to the browser or network that has reached its limit, and to all where the
 * organisation discloses who is known; otherwise the push looks like one that isn't answered
 */
export function isOverPushLimit(
  deps: Deps,
  tx: Tx,
  { orgCode, discloseUnknownUsers }: organisationRepo.OrganisationRow,
  { suid, askedFor, network, browser }: RequestedPush,
): boolean {
  const now = deps.clock.now();
  const fromHere = challengeRepo.listPushesAskedFor(tx, orgCode, { askedFor, network }, now);
  const reached = challengeRepo.listPushesTo(tx, orgCode, suid, now).filter(isSignIn);
  if (!isFull(fromHere) && !isFull(reached)) return false;
  const person = { orgCode, suid };
  if (isKnownBrowser(deps, tx, person, browser)) {
    // Withdrawn ones don't count here: people change their minds, and only they use this limit.
    const own = reached.filter((push) => push.browser === browser && push.status === 'pending');
    if (isFull(own)) throw tooManyWaiting(own, now);
    return false;
  }
  // Counted by the name alone, so that the answer is the same whether or not the person exists.
  if (isFull(fromHere)) throw tooManyWaiting(fromHere, now);
  const known = knownNetworks(deps, tx, person);
  const sharing = reached.filter((push) =>
    known.has(network) ? push.network === network : !known.has(push.network ?? ''),
  );
  if (!isFull(sharing)) return false;
  if (discloseUnknownUsers) throw tooManyWaiting(sharing, now);
  return true;
}

const isFull = (pushes: readonly challengeRepo.CountedPush[]): boolean => pushes.length >= LIMITS.pushesWaiting;

function tooManyWaiting(pushes: readonly challengeRepo.CountedPush[], now: number): Refusal {
  const seconds = Math.ceil((Math.min(...pushes.map(({ expiresAt }) => expiresAt)) - now) / SECOND);
  return tooManyTries(
    seconds,
    pushes.some(({ status }) => status === 'pending')
      ? `${LIMITS.pushesWaiting} requests are already waiting for this name. Answer one on your device, or try again in ${inWords(seconds)}.`
      : `${LIMITS.pushesWaiting} requests for this name were just abandoned. Try again in ${inWords(seconds)}.`,
  );
}
