import type { challengeRepo } from '@orchestrate/db';
import type { Deps } from '../../../deps.ts';
import { TOPIC } from '../../../platform/live/bus.ts';

/** After the commit: notifies everybody who shows this challenge or waits for its person. */
export function announceChallenge({ bus }: Deps, { id, suid }: Pick<challengeRepo.NewChallenge, 'id' | 'suid'>): void {
  bus.changed(TOPIC.challenge(id));
  if (suid) bus.changed(TOPIC.member(suid));
  bus.changed(TOPIC.requests);
}
