import { challengeRepo, sessionRepo, type Tx } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { announceChallenge } from '../sign-in/challenges/challenge.ts';
import { publishEndedSessions } from '../sign-in/sessions.ts';

/** IDs of the sessions and challenges that were ended together with a device. */
export interface EndedUse {
  sessions: string[];
  challenges: string[];
}

/** Ends the sessions that the device signed in, and cancels the challenges waiting for the device. */
export function endDeviceUse({ clock }: Deps, tx: Tx, orgCode: string, zid: string): EndedUse {
  const now = clock.now();
  return {
    sessions: sessionRepo.revokeSessions(tx, orgCode, { zid }, now),
    challenges: challengeRepo.cancelChallenges(tx, orgCode, { zid }, { resultCode: 'LOGIN_REJECTED', now }),
  };
}

/** Publishes the ended sessions and challenges. Call this after the commit. @param suid ID of the device's owner */
export function announceEndedUse(deps: Deps, { sessions, challenges }: EndedUse, suid: string): void {
  publishEndedSessions(deps, sessions);
  for (const id of challenges) announceChallenge(deps, { id });
  deps.bus.changed(TOPIC.member(suid));
}
