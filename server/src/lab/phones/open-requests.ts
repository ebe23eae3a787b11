import { challengeRepo, memberRepo } from '@orchestrate/db';
import type { OpenRequest } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { isoOf } from '../../platform/iso-of.ts';

/** What a phone could answer now, newest first. */
export function openRequests({ db, clock }: Deps): OpenRequest[] {
  return challengeRepo
    .listAnswerable(db, clock.now())
    .toReversed()
    .flatMap((row) => {
      const { id, kind, mode, orgCode, suid, qid, did, matchNumber, appName, zid, createdAt, expiresAt } = row;
      if (kind === 'add-device') return [];
      const member = suid === null ? undefined : memberRepo.findMember(db, orgCode, suid);
      return {
        challengeId: id,
        kind,
        mode,
        orgCode,
        ...(member && { email: member.primaryEmail }),
        ...(qid !== null && { qid }),
        ...(did !== null && { did }),
        ...(matchNumber !== null && { matchNumber }),
        ...(appName !== null && { appName }),
        isOpened: zid !== null || mode === 'PUSH',
        requestedAt: isoOf(createdAt),
        expiresAt: isoOf(expiresAt),
      };
    });
}
