import { challengeRepo, memberRepo, type organisationRepo, type schema, type Tx } from '@orchestrate/db';
import { type DeviceDescription, LIMITS, type PublicKey, pairClaims, SECOND } from '@orchestrate/shared';
import { deviceObstacle, requireNoObstacle } from '#core/device-keys/device-admission.ts';
import { announceChallenge, outcomeOf } from '#core/sign-in/challenges/challenge.ts';
import { readTypedCode } from '#core/sign-in/challenges/codes.ts';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import { requireNewKeyProof } from './device-proof.ts';

export interface PairRequest {
  orgCode: string;
  /** The scanned or typed code. */
  aid: string;
  device: DeviceDescription;
  publicKey: PublicKey;
  proof: string;
}

/** The data that a connected device stores and displays until the member confirms it in the portal. */
export interface ConnectedDevice {
  pairing: schema.PairingRequest;
  orgName: string;
  /** Expiry, in milliseconds since the epoch. */
  expiresAt: number;
}

/**
 * Connects a new device with an add-device code and reserves the code for it. Repeating the call with the same key
 * changes nothing, so a device that lost the response can retry.
 * @throws Refusal ORG_CODE_NOT_FOUND, SIGNATURE_MISMATCH, EXPIRED as in `requireNewKeyProof`; EXPIRED if the code is
 * unknown, used, expired, or from another organisation or device; AUTHENTICATOR_DISALLOWED if the device type is
 * wrong or disabled; MOBILE_APP_NOT_ENABLED, DESKTOP_APP_NOT_ENABLED, DEVICE_ADD_LIMIT_REACHED, ORG_ALREADY_ENABLED,
 * USER_INACTIVE
 */
export function pairDevice(deps: Deps, request: PairRequest): ConnectedDevice {
  const { organisation, thumbprint, claims } = requireNewKeyProof(deps, request, pairClaims);
  if (claims.aid !== request.aid) throw new Refusal('SIGNATURE_MISMATCH');
  const connected = deps.db.transaction((tx) => {
    const challenge = requireAddDevice(deps, tx, organisation.orgCode, request.aid);
    const { pairing, expiresAt } = challenge;
    if (pairing?.thumbprint === thumbprint) return { challenge, pairing, expiresAt };
    requireAdmission(tx, { organisation, challenge, device: request.device, thumbprint });
    return connect(deps, tx, challenge, { ...request, thumbprint });
  });
  announceChallenge(deps, connected.challenge);
  return { pairing: connected.pairing, orgName: organisation.name, expiresAt: connected.expiresAt };
}

function requireAddDevice({ clock }: Deps, tx: Tx, orgCode: string, aid: string): challengeRepo.ChallengeRow {
  const typed = readTypedCode(aid);
  const found =
    typed === null
      ? challengeRepo.findChallengeByQid(tx, orgCode, aid)
      : challengeRepo.findChallengeByDid(tx, orgCode, typed);
  const isOpen = found?.kind === 'add-device' && outcomeOf(found, clock.now()) === 'pending';
  if (!isOpen) throw new Refusal('EXPIRED');
  return found;
}

interface Applicant {
  organisation: organisationRepo.OrganisationRow;
  challenge: challengeRepo.ChallengeRow;
  device: DeviceDescription;
  thumbprint: string;
}

function requireAdmission(tx: Tx, { organisation, challenge, device: { type }, thumbprint }: Applicant): void {
  const { suid, appType } = challenge;
  const member = memberRepo.findMember(tx, organisation.orgCode, suid ?? '');
  if (!member) throw new Refusal('EXPIRED');
  if (member.accountStatus !== 'active') throw new Refusal('USER_INACTIVE');
  if (type !== appType)
    throw new Refusal('AUTHENTICATOR_DISALLOWED', { message: `This code is for a ${appType} device.` });
  requireNoObstacle(deviceObstacle(tx, { organisation, member, type, thumbprint }));
}

/**
 * A typed code also requires a second code, copied from the device to the portal, because a shoulder surfer sees only
 * the first.
 */
function connect(
  { random, clock }: Deps,
  tx: Tx,
  challenge: challengeRepo.ChallengeRow,
  { device, publicKey, thumbprint }: PairRequest & { thumbprint: string },
) {
  const now = clock.now();
  const isTyped = challenge.mode === 'DID';
  const pairing = {
    pairingId: random.id(),
    device,
    publicKey,
    thumbprint,
    ...(isTyped && { verificationCode: random.typedCode(LIMITS.verificationCodeLength) }),
  };
  const expiresAt = isTyped ? now + LIMITS.addDeviceVerifySeconds * SECOND : challenge.expiresAt;
  const { orgCode, id } = challenge;
  if (!challengeRepo.claimChallengeForPairing(tx, orgCode, id, { pairing, expiresAt, now }))
    throw new Refusal('EXPIRED');
  return { challenge, pairing, expiresAt };
}
