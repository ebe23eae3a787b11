import type { challengeRepo } from '@orchestrate/db';
import { LIMITS } from '@orchestrate/shared';
import { beginChallenge, type Requester } from '../../core/sign-in/challenges/begin.ts';
import type { Deps } from '../../deps.ts';

/** A device test for a person: one challenge, to be scanned or typed. */
export function beginTest(
  deps: Deps,
  { orgCode, suid, requester }: { orgCode: string; suid: string; requester: Requester },
): challengeRepo.NewChallenge {
  return beginChallenge(deps, deps.db, {
    orgCode,
    suid,
    kind: 'test',
    mode: 'QID',
    codes: ['QID', 'DID'],
    lifetimeSeconds: LIMITS.testDeviceLifetimeSeconds,
    requester,
  });
}
