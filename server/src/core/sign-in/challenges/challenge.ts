import { challengeRepo } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';

/**
 * Notifies clients that display this challenge, and clients waiting for a challenge for its member. Call it after the
 * commit.
 */
export function announceChallenge({ bus }: Deps, { id, suid }: Pick<challengeRepo.NewChallenge, 'id' | 'suid'>): void {
  bus.changed(TOPIC.challenge(id));
  if (suid) bus.changed(TOPIC.member(suid));
  bus.changed(TOPIC.requests);
}

export type Outcome = 'pending' | 'approved' | 'denied' | 'expired' | 'cancelled';

/**
 * Returns the outcome of a challenge at `now`. Expiry isn't stored: a pending challenge past its `expiresAt` is
 * expired.
 */
export function outcomeOf(
  { status, expiresAt }: Pick<challengeRepo.ChallengeRow, 'status' | 'expiresAt'>,
  now: number,
): Outcome {
  return status === 'pending' && expiresAt <= now ? 'expired' : status;
}

/** Cancels a pending request because its browser or client no longer waits. */
export function withdrawChallenge(deps: Deps, orgCode: string, id: string): void {
  const { db, clock } = deps;
  const end = { resultCode: challengeRepo.WITHDRAWN_RESULT, now: clock.now() };
  if (challengeRepo.cancelChallenges(db, orgCode, { id }, end).length === 0) return;
  announceChallenge(deps, { id, suid: challengeRepo.findChallenge(db, orgCode, id)?.suid });
}
