import { challengeRepo, sessionRepo } from '@orchestrate/db';
import { DAY, HOUR } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';

/** For a day, whoever comes late is still told what became of a request or a session; after that it is unknown. */
const KEPT_MS = DAY;

/** Forgets, hourly, requests and sessions that are long over, so that the database does not grow with every sign-in. */
export function keepHouse(app: FastifyInstance, { db, clock }: Deps): void {
  let cancel = clock.at(clock.now(), clean);
  app.addHook('preClose', async () => cancel());

  function clean(): void {
    const before = clock.now() - KEPT_MS;
    challengeRepo.pruneChallenges(db, before);
    sessionRepo.purgeSessions(db, before);
    cancel = clock.at(clock.now() + HOUR, clean);
  }
}
