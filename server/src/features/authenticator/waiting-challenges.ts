import { challengeRepo } from '@orchestrate/db';
import type { Deps } from '../../deps.ts';
import type { ProvenDevice } from './device-proof.ts';
import { type AnswerableChallenge, isAnswerable } from './pending-challenge.ts';

/** The push requests that wait for the person of a device, oldest first. */
export function waitingFor({ db, clock }: Deps, { device: { orgCode, suid } }: ProvenDevice): AnswerableChallenge[] {
  return challengeRepo.listWaitingChallenges(db, orgCode, suid, clock.now()).filter(isAnswerable);
}
