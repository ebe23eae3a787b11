import type { challengeRepo, organisationRepo } from '@orchestrate/db';
import type { PendingChallenge } from '@orchestrate/shared';
import { isoOf } from '../../models/iso-of.ts';

export type AnswerableChallenge = challengeRepo.ChallengeRow & { kind: PendingChallenge['kind'] };

/** Adding a device is answered in the portal, not on a device. */
export const isAnswerable = (challenge: challengeRepo.ChallengeRow): challenge is AnswerableChallenge =>
  challenge.kind !== 'add-device';

/** A request as its device shows it. */
export function pendingChallengeOf(
  challenge: AnswerableChallenge,
  { orgCode, name, appLockEnabled }: organisationRepo.OrganisationRow,
): PendingChallenge {
  return {
    challengeId: challenge.id,
    kind: challenge.kind,
    orgCode,
    orgName: name,
    appName: challenge.appName ?? undefined,
    requester: {
      ip: challenge.requesterIp,
      userAgent: challenge.requesterAgent,
      fullName: challenge.requesterName ?? undefined,
    },
    numberChoices: challenge.numberChoices ?? undefined,
    appLock: appLockEnabled,
    requestedAt: isoOf(challenge.createdAt),
    expiresAt: isoOf(challenge.expiresAt),
  };
}
