import { challengeRepo, outboxRepo } from '@orchestrate/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';

const CHALLENGE = TOPIC.challenge('');

/** Records state changes of device requests, and every email and text message. */
export function recordChanges(app: FastifyInstance, deps: Deps): void {
  const { db, bus, journal } = deps;
  /** Offset of the last recorded message. Reread after deletions, because SQLite reuses the newest row's ID. */
  let lastMessage = outboxRepo.lastOffset(db);
  /** Last recorded state of each open request. */
  const recorded = new Map<string, string>();

  function look(challenge: challengeRepo.ChallengeRow): void {
    // The creation of a request is recorded where the request is created, so skip it here. A push isn't opened, even if
    // it was sent to one device.
    if (challenge.status === 'pending' && (!challenge.zid || challenge.mode === 'PUSH')) return;
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
