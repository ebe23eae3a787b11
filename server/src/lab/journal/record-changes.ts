import { challengeRepo, outboxRepo } from '@orchestrate/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';

const CHALLENGE = TOPIC.challenge('');

/** Records what requests to devices go through, and what is mailed or texted. */
export function recordChanges(app: FastifyInstance, deps: Deps): void {
  const { db, bus, journal } = deps;
  /** SQLite gives a place again after the newest row has been deleted: deleting says so, and then none is new. */
  let lastMessage = outboxRepo.lastOffset(db);
  /** The state in which each open request was recorded last. */
  const recorded = new Map<string, string>();

  function look(challenge: challengeRepo.ChallengeRow): void {
    // Its beginning is recorded where it is begun.
    if (challenge.status === 'pending' && !challenge.zid) return;
    const state = challenge.status === 'pending' ? 'opened' : challenge.status;
    if (recorded.get(challenge.id) === state) return;
    if (challenge.status === 'pending') recorded.set(challenge.id, state);
    else recorded.delete(challenge.id);
    const { kind: challengeKind, suid, orgCode } = challenge;
    journal.record({ kind: 'challenge', challengeKind, state, suid, orgCode });
  }

  const stop = bus.listenToAll((topic) => {
    if (topic === TOPIC.outbox) {
      const written = outboxRepo.listMessagesAfter(db, lastMessage);
      for (const { offset: _, ...message } of written) journal.record({ kind: 'message', ...message });
      lastMessage = written.at(-1)?.offset ?? outboxRepo.lastOffset(db);
    } else if (topic === TOPIC.reset) {
      lastMessage = outboxRepo.lastOffset(db);
      recorded.clear();
    } else if (topic.startsWith(CHALLENGE)) {
      const challenge = challengeRepo.findChallengeBySecretId(db, topic.slice(CHALLENGE.length));
      if (challenge) look(challenge);
    }
  });
  app.addHook('preClose', async () => stop());
}
