import { challengeRepo, organisationRepo } from '@orchestrate/db';
import { fullNameOf, LIMITS, SECOND } from '@orchestrate/shared';
import { beginChallenge, type Requester } from '../../core/sign-in/challenges/begin.ts';
import { outcomeOf } from '../../core/sign-in/challenges/challenge-outcome.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../platform/http/callers/caller.ts';
import { Refusal } from '../../platform/refusal.ts';

/** A code for verifying a caller, and how its channel is opened. */
export interface BegunVerbal {
  code: string;
  qid: string;
  /** Seconds. */
  idTimeout: number;
  epoch: string;
}

/**
 * Begins to verify a caller. Asking again under the same name returns the request that still waits for the code or the
 * consent.
 * @throws Refusal DID_NOT_ENABLED the organisation lets nobody type codes
 */
export function beginVerbal(
  deps: Deps,
  { orgCode, suid, member }: Caller,
  { epoch, ...from }: Pick<Requester, 'ip' | 'userAgent'> & { epoch: string | undefined },
): BegunVerbal {
  const { db, clock, random } = deps;
  if (!organisationRepo.findOrganisation(db, orgCode)?.didEnabled) throw new Refusal('DID_NOT_ENABLED');
  const now = clock.now();
  const name = epoch || random.id();
  const known = epoch ? challengeRepo.findChallengeByEpoch(db, orgCode, suid, name) : undefined;
  if (known && outcomeOf(known, now) === 'pending') return begunOf(known, now);
  const requester = { ...from, suid, fullName: fullNameOf(member) };
  const begun = beginChallenge(deps, db, {
    orgCode,
    kind: 'verbal',
    mode: 'DID',
    codes: ['QID', 'DID'],
    epoch: name,
    lifetimeSeconds: LIMITS.verbalLifetimeSeconds,
    requester,
  });
  return begunOf(begun, begun.createdAt);
}

function begunOf({ qid, did, epoch, expiresAt }: challengeRepo.NewChallenge, now: number): BegunVerbal {
  return { code: did ?? '', qid: qid ?? '', idTimeout: Math.ceil((expiresAt - now) / SECOND), epoch: epoch ?? '' };
}
