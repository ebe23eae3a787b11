import { challengeRepo, memberRepo } from '@orchestrate/db';
import { appEnvOf, type OpenRequest, type QrPayload, qrAddress } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { isoOf } from '../../platform/iso-of.ts';

/** What a phone could answer now, newest first. */
export function openRequests({ db, clock, publicUrl }: Deps): OpenRequest[] {
  const template = `${publicUrl}/authenticator`;
  const env = appEnvOf(new URL(publicUrl).hostname);
  return challengeRepo
    .listOpenChallenges(db, clock.now())
    .toReversed()
    .map((row) => {
      const { id, kind, mode, orgCode, suid, qid, did, matchNumber, appName, zid, createdAt, expiresAt } = row;
      const shown = shownInQr(row);
      const member = suid === null ? undefined : memberRepo.findMember(db, orgCode, suid);
      return {
        challengeId: id,
        kind,
        mode,
        orgCode,
        ...(member && { email: member.primaryEmail }),
        ...(qid !== null && { qid }),
        ...(did !== null && { did }),
        ...(shown && { payload: qrAddress(template, shown, env) }),
        ...(matchNumber !== null && { matchNumber }),
        ...(appName !== null && { appName }),
        isOpened: zid !== null || mode === 'PUSH',
        requestedAt: isoOf(createdAt),
        expiresAt: isoOf(expiresAt),
      };
    });
}

/** What the QR code of a request stands for; undefined where it has none. */
function shownInQr({ kind, orgCode, qid }: challengeRepo.ChallengeRow): QrPayload | undefined {
  if (qid === null) return undefined;
  if (kind === 'add-device') return { kind, orgCode, aid: qid };
  return { kind: kind === 'test' ? 'test-device' : 'sign-in', orgCode, qidCode: qid };
}
