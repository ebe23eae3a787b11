import { LIMITS, startVerbal } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { beginChallenge } from '../../challenges/begin-challenge.ts';
import type { Deps } from '../../deps.ts';
import { implement } from '../../http/implement.ts';
import { serveVerbal } from './live.ts';

/** Verifying a caller: a code is read aloud, and whoever types it says on his device whether it is he. */
export function verbal(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, startVerbal, ({ caller: { orgCode, member }, ip, userAgent }) => {
    const { id, qid, did } = beginChallenge(deps, deps.db, {
      ...{ orgCode, kind: 'verbal', mode: 'DID', codes: ['QID', 'DID'] },
      lifetimeSeconds: LIMITS.verbalLifetimeSeconds,
      requester: { ip, userAgent, fullName: `${member.firstName} ${member.lastName}` },
    });
    return { code: did ?? '', qid: qid ?? '', idTimeout: LIMITS.verbalLifetimeSeconds, epoch: id };
  });

  serveVerbal(app, deps);
}
