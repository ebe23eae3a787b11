import { challengeRepo } from '@orchestrate/db';
import { isNew } from '../../core/sign-in/new-devices.ts';
import type { Deps } from '../../deps.ts';
import type { ProvenDevice } from './device-proof.ts';
import { type AnswerableChallenge, isAnswerable } from './pending-challenge.ts';

/** The push requests that wait for the person of a device, oldest first; a new device gets no approvals. */
export function waitingFor({ db, clock }: Deps, { device }: ProvenDevice): AnswerableChallenge[] {
  const { orgCode, suid } = device;
  const now = clock.now();
  return challengeRepo
    .listWaitingChallenges(db, orgCode, suid, now)
    .filter(isAnswerable)
    .filter(({ kind }) => kind !== 'approval' || !isNew(device, now));
}
