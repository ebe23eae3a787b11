import type { challengeRepo } from '@orchestrate/db';

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
