import { challengeRepo, memberRepo, organisationRepo } from '@orchestrate/db';
import { codeOf, contract, fullNameOf, LIMITS, SECOND, verbalLive, visibleText } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { beginChallenge, type Requester } from '#core/sign-in/challenges/begin.ts';
import { outcomeOf } from '#core/sign-in/challenges/challenge.ts';
import type { Deps } from '#deps.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { requirePermission } from '#platform/http/callers/permissions.ts';
import { implement } from '#platform/http/implement.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { serveChannel } from '#platform/live/serve-channel.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';

/**
 * Sends the verification's progress, and finally the caller's identity, to the agent who started it. No one else can
 * see them, because they contain personal data.
 */
function serveVerification(app: FastifyInstance, deps: Deps): void {
  serveChannel(app, deps, verbalLive, {
    open({ caller, query: { epoch } }) {
      requirePermission(caller, 'VERBAL_AUTHENTICATION');
      const { orgCode, suid } = caller;
      const started = challengeRepo.findChallengeByEpoch(deps.db, orgCode, suid, epoch);
      if (started?.kind !== 'verbal') throw new Refusal('ID_DOESNOT_EXIST');
      return { topics: [TOPIC.challenge(started.id)], state: () => liveState(deps, started) };
    },
  });
}

function liveState({ db, clock }: Deps, { orgCode, id }: challengeRepo.ChallengeRow) {
  const challenge = challengeRepo.findChallenge(db, orgCode, id);
  if (!challenge) throw new Refusal('ID_DOESNOT_EXIST');
  const op = 'verbal' as const;
  switch (outcomeOf(challenge, clock.now())) {
    case 'pending': {
      const { zid, expiresAt } = challenge;
      const state = zid === null ? ('init' as const) : ('pending' as const);
      return { message: { op, state, resultCode: codeOf('SUCCESS'), expiresAt: isoOf(expiresAt) }, expiresAt };
    }
    case 'approved': {
      const caller = callerOf(db, challenge);
      return { message: { op, state: 'success' as const, resultCode: codeOf('SUCCESS'), caller } };
    }
    case 'denied':
      return { message: { op, state: 'denied' as const, resultCode: codeOf('LOGIN_NO_CONSENT') } };
    case 'cancelled':
    case 'expired':
      return { message: { op, state: 'expired' as const, resultCode: codeOf('EXPIRED') } };
  }
}

/** Returns the member who consented and the device they used. */
function callerOf(db: Deps['db'], { orgCode, suid, deviceName, resolvedAt, expiresAt }: challengeRepo.ChallengeRow) {
  const confirmedAt = resolvedAt ?? expiresAt;
  const member = memberRepo.findMember(db, orgCode, suid ?? '');
  if (!member) throw new Refusal('ID_DOESNOT_EXIST');
  const { firstName, lastName, primaryEmail, primaryAttr } = member;
  // Older requests can contain hidden characters. Replace them with their code points, because the agent decides
  // based on this text.
  return {
    fullName: visibleText(fullNameOf({ firstName, lastName })),
    email: visibleText(primaryEmail),
    primaryAttr: visibleText(primaryAttr),
    suid: member.suid,
    deviceName: visibleText(deviceName ?? ''),
    confirmedAt: isoOf(confirmedAt),
    trustedUntil: isoOf(confirmedAt + LIMITS.callerTrustedSeconds * SECOND),
  };
}

/** Code for verifying a caller, and the details for opening its channel. */
interface StartedVerification {
  code: string;
  qid: string;
  /** Code lifetime, in seconds. */
  idTimeout: number;
  epoch: string;
}

/**
 * Starts verifying a caller. Repeating the call with the same `epoch` returns the request that is still waiting for
 * the code or the consent.
 * @throws Refusal DID_NOT_ENABLED if the organisation doesn't allow typed codes
 */
function startVerification(
  deps: Deps,
  { orgCode, suid, member }: Caller,
  { epoch, ...from }: Pick<Requester, 'ip' | 'userAgent'> & { epoch: string | undefined },
): StartedVerification {
  const { db, clock, random } = deps;
  if (!organisationRepo.findOrganisation(db, orgCode)?.didEnabled) throw new Refusal('DID_NOT_ENABLED');
  const now = clock.now();
  const name = epoch || random.id();
  const known = epoch ? challengeRepo.findChallengeByEpoch(db, orgCode, suid, name) : undefined;
  if (known && outcomeOf(known, now) === 'pending') return verificationOf(known, now);
  const requester = { ...from, suid, fullName: fullNameOf(member) };
  const started = beginChallenge(deps, db, {
    orgCode,
    kind: 'verbal',
    mode: 'DID',
    codes: ['QID', 'DID'],
    epoch: name,
    lifetimeSeconds: LIMITS.verbalLifetimeSeconds,
    requester,
  });
  return verificationOf(started, started.createdAt);
}

function verificationOf({ qid, did, epoch, expiresAt }: challengeRepo.NewChallenge, now: number): StartedVerification {
  return { code: did ?? '', qid: qid ?? '', idTimeout: Math.ceil((expiresAt - now) / SECOND), epoch: epoch ?? '' };
}

/** Serves caller verification. Staff read a code aloud, and the caller types it in the authenticator and consents. */
export function callerAuthentication(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.startVerbal, ({ caller, query: { epoch }, ip, userAgent }) =>
    startVerification(deps, caller, { epoch, ip, userAgent }),
  );

  serveVerification(app, deps);
}
