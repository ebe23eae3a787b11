import { challengeRepo, memberRepo, organisationRepo } from '@orchestrate/db';
import { contract, pairStatusClaims, type ResultName } from '@orchestrate/shared';
import { confirmationOf } from '../../core/device-keys/confirm-device.ts';
import { outcomeOf } from '../../core/sign-in/challenges/challenge-outcome.ts';
import type { Deps } from '../../deps.ts';
import { type Answer, news } from '../../platform/http/answers/answer.ts';
import { Refusal } from '../../platform/refusal.ts';
import { openDeviceJws } from './device-jws.ts';
import { deviceProfile } from './device-profile.ts';
import { requireFreshClaims } from './fresh-claims.ts';

type Progress = Answer<typeof contract.pairStatus>;
type PairNews = (typeof contract.pairStatus.news)[number];

/**
 * What has become of a connected device in the portal, asked with its new key.
 * @throws Refusal ID_DOESNOT_EXIST unknown pairing; SIGNATURE_MISMATCH signature, organisation or replay; EXPIRED clock
 */
export function pairProgress(deps: Deps, { pairingId, jws }: { pairingId: string; jws: string }): Progress {
  const challenge = challengeRepo.findChallengeByPairing(deps.db, pairingId);
  if (!challenge?.pairing) throw new Refusal('ID_DOESNOT_EXIST');
  const { orgCode, zid, pairing } = challenge;
  // Without `kid` until the device has a zid; the device cannot know when that is.
  const payload = openDeviceJws(jws, pairing.publicKey, zid === null ? [undefined] : [undefined, zid]);
  const claims = requireFreshClaims(deps, pairStatusClaims, { payload, orgCode, thumbprint: pairing.thumbprint });
  if ((claims.pairingId ?? pairingId) !== pairingId) throw new Refusal('SIGNATURE_MISMATCH');
  return progressOf(deps, challenge);
}

function progressOf(deps: Deps, challenge: challengeRepo.ChallengeRow): Progress {
  switch (outcomeOf(challenge, deps.clock.now())) {
    case 'pending':
      return { status: 'notify' };
    case 'expired':
      return news('EXPIRED', { status: 'expired' });
    case 'approved':
      return complete(deps, challenge);
    case 'denied':
    case 'cancelled':
      return news(toldTo(challenge.resultCode), { status: 'denied' });
  }
}

/** The device is told only reasons that concern it; every other reason is between the person and the portal. */
const toldTo = (result: ResultName | null): PairNews =>
  contract.pairStatus.news.find((name) => name === result) ?? 'ADD_DEVICE_NO_CONSENT';

function complete(deps: Deps, { orgCode, suid, zid }: challengeRepo.ChallengeRow): Progress {
  const member = memberRepo.findMember(deps.db, orgCode, suid ?? '');
  const organisation = organisationRepo.findOrganisation(deps.db, orgCode);
  if (!member || !organisation || zid === null) throw new Refusal('ID_DOESNOT_EXIST');
  return {
    status: 'complete',
    zid,
    suid: member.suid,
    profile: deviceProfile(deps, { zid, member, organisation }),
    confirmation: confirmationOf(deps, deps.db, { orgCode, zid }),
  };
}
