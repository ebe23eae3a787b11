import { challengeRepo } from '@orchestrate/db';
import type { Deps } from '../../../deps.ts';
import { announceChallenge } from './announce-challenge.ts';

/** Takes a request off the devices because its browser or program no longer waits; does nothing if it has ended. */
export function withdraw(deps: Deps, orgCode: string, id: string): void {
  const { db, clock } = deps;
  const end = { resultCode: challengeRepo.WITHDRAWN, now: clock.now() };
  if (challengeRepo.cancelChallenges(db, orgCode, { id }, end).length === 0) return;
  announceChallenge(deps, { id, suid: challengeRepo.findChallenge(db, orgCode, id)?.suid });
}
