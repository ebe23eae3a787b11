import type { challengeRepo } from '@orchestrate/db';

export type Outcome = 'pending' | 'approved' | 'denied' | 'expired' | 'cancelled';

/** Where a challenge stands at `now`. Expiry is never written: it is a pending challenge whose time is over. */
export function outcomeOf(
  { status, expiresAt }: Pick<challengeRepo.ChallengeRow, 'status' | 'expiresAt'>,
  now: number,
): Outcome {
  return status === 'pending' && expiresAt <= now ? 'expired' : status;
}
