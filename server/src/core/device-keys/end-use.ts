import { challengeRepo, sessionRepo, type Tx } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { announceChallenge } from '../sign-in/challenges/challenge.ts';
import { announceEnded } from '../sign-in/sessions.ts';

/** Ids of the sessions and challenges that ended with a device. */
export interface EndedUse {
  sessions: string[];
  challenges: string[];
}

/** Ends the sessions that the device signed in, and cancels the challenges that wait for it. */
export function endUse({ clock }: Deps, tx: Tx, orgCode: string, zid: string): EndedUse {
  const now = clock.now();
  return {
    sessions: sessionRepo.revokeSessions(tx, orgCode, { zid }, now),
    challenges: challengeRepo.cancelChallenges(tx, orgCode, { zid }, { resultCode: 'LOGIN_REJECTED', now }),
  };
}

/** Notifies listeners after the commit. @param suid the owner of the device */
export function announceEndedUse(deps: Deps, { sessions, challenges }: EndedUse, suid: string): void {
  announceEnded(deps, sessions);
  for (const id of challenges) announceChallenge(deps, { id });
  deps.bus.changed(TOPIC.member(suid));
}
