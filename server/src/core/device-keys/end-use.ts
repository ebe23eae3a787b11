import { challengeRepo, sessionRepo, type Tx } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { announceChallenge } from '../sign-in/challenges/challenge.ts';
import { announceEnded } from '../sign-in/sessions.ts';

/** What ended with the use of a device: ids of sessions and challenges. */
export interface EndedUse {
  sessions: string[];
  challenges: string[];
}

/** Ends the sessions that the device has signed in, and cancels what it was about to answer. */
export function endUse({ clock }: Deps, tx: Tx, orgCode: string, zid: string): EndedUse {
  const now = clock.now();
  return {
    sessions: sessionRepo.revokeSessions(tx, orgCode, { zid }, now),
    challenges: challengeRepo.cancelChallenges(tx, orgCode, { zid }, { resultCode: 'LOGIN_REJECTED', now }),
  };
}

/** Call it after the commit. @param suid the owner of the device */
export function announceEndedUse(deps: Deps, { sessions, challenges }: EndedUse, suid: string): void {
  announceEnded(deps, sessions);
  for (const id of challenges) announceChallenge(deps, { id });
  deps.bus.changed(TOPIC.member(suid));
}
