import { challengeRepo, outboxRepo } from '@orchestrate/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { TOPIC } from '../../platform/live/bus.ts';

/** Records what requests to devices go through, and what is mailed or texted. */
export function recordChanges(app: FastifyInstance, deps: Deps): void {
  const { db, bus, journal } = deps;
  let lastChallenge = challengeRepo.lastPlace(db);
  let lastMessage = outboxRepo.lastPlace(db);
  /** The state in which each open request was recorded last. */
  const recorded = new Map<string, string>();

  function look(challenge: challengeRepo.ChallengeRow): void {
    const state = challenge.status === 'pending' ? (challenge.zid ? 'opened' : 'begun') : challenge.status;
    if (recorded.get(challenge.id) === state) return;
    if (challenge.status === 'pending') recorded.set(challenge.id, state);
    else recorded.delete(challenge.id);
    const { kind: challengeKind, suid, orgCode } = challenge;
    journal.record({ kind: 'challenge', challengeKind, state, suid, orgCode });
  }

  const stop = bus.listenToAll((topic) => {
    if (topic === TOPIC.requests) {
      for (const { place, challenge } of challengeRepo.listBegunAfter(db, lastChallenge)) {
        lastChallenge = place;
        look(challenge);
      }
    } else if (topic === TOPIC.outbox) {
      for (const { place, ...message } of outboxRepo.listWrittenAfter(db, lastMessage)) {
        lastMessage = place;
        journal.record({ kind: 'message', ...message });
      }
    } else if (topic === TOPIC.reset) {
      lastChallenge = challengeRepo.lastPlace(db);
      lastMessage = outboxRepo.lastPlace(db);
      recorded.clear();
    } else if (topic.startsWith(TOPIC.challenge(''))) {
      const challenge = challengeRepo.findChallengeBySecretId(db, topic.slice(TOPIC.challenge('').length));
      if (challenge) look(challenge);
    }
  });
  app.addHook('preClose', async () => stop());
}
