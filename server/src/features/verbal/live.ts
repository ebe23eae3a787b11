import { challengeRepo, memberRepo } from '@orchestrate/db';
import { codeOf, fullNameOf, LIMITS, SECOND, verbalLive, visibleText } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { outcomeOf } from '../../core/sign-in/challenges/challenge-outcome.ts';
import type { Deps } from '../../deps.ts';
import { requirePermission } from '../../platform/http/callers/permissions.ts';
import { isoOf } from '../../platform/iso-of.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { serveChannel } from '../../platform/live/serve-channel.ts';
import { Refusal } from '../../platform/refusal.ts';

/**
 * Shows the progress, and in the end who called, to the person verifying the caller. Nobody else may see it: it
 * contains personal details.
 */
export function serveVerbal(app: FastifyInstance, deps: Deps): void {
  serveChannel(app, deps, verbalLive, {
    open({ caller, query: { epoch } }) {
      requirePermission(caller, 'VERBAL_AUTHENTICATION');
      const { orgCode, suid } = caller;
      const begun = challengeRepo.findChallengeByEpoch(deps.db, orgCode, suid, epoch);
      if (begun?.kind !== 'verbal') throw new Refusal('ID_DOESNOT_EXIST');
      return { topics: [TOPIC.challenge(begun.id)], state: () => liveState(deps, begun) };
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

/** The person who has consented, and the device they used. */
function callerOf(db: Deps['db'], { orgCode, suid, deviceName, resolvedAt, expiresAt }: challengeRepo.ChallengeRow) {
  const confirmedAt = resolvedAt ?? expiresAt;
  const member = memberRepo.findMember(db, orgCode, suid ?? '');
  if (!member) throw new Refusal('ID_DOESNOT_EXIST');
  const { firstName, lastName, primaryEmail, primaryAttr } = member;
  // The agent decides by this text, and it may have been stored before hidden characters were refused: they are shown
  // by name.
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
