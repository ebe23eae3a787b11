import type { challengeRepo, organisationRepo } from '@orchestrate/db';
import { type PendingChallenge, visibleText } from '@orchestrate/shared';
import { isoOf } from '../../platform/iso-of.ts';

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
    orgName: visibleText(name),
    appName: seen(challenge.appName),
    action: challenge.action ?? undefined,
    statement: seen(challenge.statement),
    requester: {
      ip: challenge.requesterIp,
      userAgent: visibleText(challenge.requesterAgent),
      fullName: seen(challenge.requesterName),
    },
    numberChoices: challenge.numberChoices ?? undefined,
    appLock: appLockEnabled,
    requestedAt: isoOf(challenge.createdAt),
    expiresAt: isoOf(challenge.expiresAt),
  };
}

/**
 * People decide by this text, and it may have been stored before hidden characters were refused: they are shown by
 * name.
 */
const seen = (text: string | null): string | undefined => (text === null ? undefined : visibleText(text));
