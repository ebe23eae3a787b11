import { challengeRepo } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';

/** After the commit: notifies everybody who shows this challenge or waits for its person. */
export function announceChallenge({ bus }: Deps, { id, suid }: Pick<challengeRepo.NewChallenge, 'id' | 'suid'>): void {
  bus.changed(TOPIC.challenge(id));
  if (suid) bus.changed(TOPIC.member(suid));
  bus.changed(TOPIC.requests);
}

export type Outcome = 'pending' | 'approved' | 'denied' | 'expired' | 'cancelled';

/**
 * The outcome of a challenge at `now`. Expiry is never stored: an expired challenge is a pending one whose time is
 * over.
 */
export function outcomeOf(
  { status, expiresAt }: Pick<challengeRepo.ChallengeRow, 'status' | 'expiresAt'>,
  now: number,
): Outcome {
  return status === 'pending' && expiresAt <= now ? 'expired' : status;
}

/** Takes a request off the devices because its browser or program no longer waits; does nothing if it has ended. */
export function withdraw(deps: Deps, orgCode: string, id: string): void {
  const { db, clock } = deps;
  const end = { resultCode: challengeRepo.WITHDRAWN, now: clock.now() };
  if (challengeRepo.cancelChallenges(db, orgCode, { id }, end).length === 0) return;
  announceChallenge(deps, { id, suid: challengeRepo.findChallenge(db, orgCode, id)?.suid });
}
