import { challengeRepo, outboxRepo } from '@orchestrate/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';

const CHALLENGE = TOPIC.challenge('');

/** Records state changes of requests to devices, emails and text messages. */
export function recordChanges(app: FastifyInstance, deps: Deps): void {
  const { db, bus, journal } = deps;
  /** SQLite reuses a row id after the newest row has been deleted, so deletions reset this to none. */
  let lastMessage = outboxRepo.lastOffset(db);
  /** The last recorded state of each open request. */
  const recorded = new Map<string, string>();

  function look(challenge: challengeRepo.ChallengeRow): void {
    // The start is recorded by the code that starts it.
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
