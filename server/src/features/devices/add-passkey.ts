import { challengeRepo, memberRepo, organisationRepo, passkeyRepo, type Tx } from '@orchestrate/db';
import {
  type Confirmation,
  fullNameOf,
  LIMITS,
  type NewPasskey,
  type PasskeyCreationOptions,
  SECOND,
} from '@orchestrate/shared';
import { systemOf } from '@orchestrate/shared/describe-browser';
import { admitDevice } from '#core/device-keys/admit-device.ts';
import { confirmationOf } from '#core/device-keys/confirm-device.ts';
import { deviceObstacle, requireNoObstacle } from '#core/device-keys/device-admission.ts';
import { relyingPartyOf } from '#core/device-keys/relying-party.ts';
import { PASSKEY_ALGORITHMS, userHandleOf, verifyNewPasskey } from '#core/device-keys/verify-passkey.ts';
import { beginChallenge, type Requester } from '#core/sign-in/challenges/begin.ts';
import { announceChallenge, outcomeOf } from '#core/sign-in/challenges/challenge.ts';
import { settleDeviceRequest } from '#core/sign-in/challenges/settle.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { Refusal } from '#platform/refusal.ts';

/** Names of well-known authenticators by AAGUID, from the FIDO Alliance's metadata and passkey providers. */
const AUTHENTICATORS: Record<string, string> = {
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'iCloud Keychain',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'iCloud Keychain',
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome on Mac',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
  '53414d53-554e-4700-0000-000000000000': 'Samsung Pass',
  'fdb141b2-5d84-443e-8a35-4698c205a502': 'KeePassXC',
  'cb69481e-8ff7-4039-93ec-0a2729a154a8': 'YubiKey 5',
  'ee882879-721c-4913-9775-3dfcce97072a': 'YubiKey 5',
  'fa2b99dc-9e39-4257-8f92-4a30d23c4118': 'YubiKey 5 NFC',
  '2fc0579f-8113-47ea-b116-bb5a8db9202a': 'YubiKey 5 NFC',
};

/**
 * Returns a new passkey's default name: the authenticator's name if known, otherwise a description such as “Security
 * key”.
 */
function passkeyName(
  aaguid: string,
  { authenticatorAttachment, response }: Pick<NewPasskey, 'authenticatorAttachment' | 'response'>,
  userAgent: string,
): { name: string; platform: string } {
  const system = systemOf(userAgent);
  const known = AUTHENTICATORS[aaguid];
  if (authenticatorAttachment === 'platform') {
    return { name: known ?? (system ? `Passkey on ${system}` : 'Passkey'), platform: system ?? 'FIDO2' };
  }
  const isPhone = response.transports?.includes('hybrid') ?? false;
  return { name: known ?? (isPhone ? 'Passkey on a phone' : 'Security key'), platform: 'FIDO2' };
}

/** The passkey's future owner. */
type Owner = Pick<memberRepo.MemberRow, 'orgCode' | 'suid'>;

/**
 * Starts a registration that replaces the member's previous one. Its ID is also the challenge.
 * @throws Refusal WEBAUTHN_NOT_ENABLED, DEVICE_ADD_LIMIT_REACHED
 */
export function beginPasskeyRegistration(deps: Deps, { orgCode, suid }: Owner, requester: Requester) {
  const { db, clock } = deps;
  const started = db.transaction((tx) => {
    const admission = admissionOf(tx, { orgCode, suid });
    requireNoObstacle(deviceObstacle(tx, admission));
    const last = { suid, kind: 'add-device' as const, mode: 'WEBAUTHN' as const };
    challengeRepo.cancelChallenges(tx, orgCode, last, { resultCode: 'EXPIRED', now: clock.now() });
    const { id } = beginChallenge(deps, tx, {
      orgCode,
      suid,
      kind: 'add-device',
      mode: 'WEBAUTHN',
      codes: [],
      lifetimeSeconds: LIMITS.addDeviceConfirmSeconds,
      requester,
    });
    return { id, ...admission, known: passkeyRepo.listPasskeys(tx, orgCode, suid) };
  });
  const { id, organisation, member, known } = started;
  const idTimeout = LIMITS.addDeviceConfirmSeconds;
  const options: PasskeyCreationOptions = {
    challenge: id,
    rp: { id: relyingPartyOf(deps).id, name: organisation.name },
    user: {
      id: userHandleOf(suid),
      name: member.primaryEmail,
      displayName: fullNameOf(member),
    },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      type: 'public-key',
      id: credentialId,
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
    timeout: idTimeout * SECOND,
  };
  return { registrationId: id, options, idTimeout };
}

export interface PasskeyRegistration {
  registrationId: string;
  credential: NewPasskey;
  requester: Requester;
}

/**
 * Adds a passkey created in the browser to the member's devices.
 * @throws Refusal EXPIRED if the registration is no longer pending; SIGNATURE_MISMATCH if the passkey can't be
 * verified; ORG_ALREADY_ENABLED if it is already registered; WEBAUTHN_NOT_ENABLED, DEVICE_ADD_LIMIT_REACHED,
 * USER_INACTIVE
 */
export async function addPasskeyDevice(
  deps: Deps,
  { orgCode, suid }: Owner,
  { registrationId, credential, requester }: PasskeyRegistration,
  actor: AuditActor,
): Promise<{ zid: string; name: string; confirmation: Confirmation | undefined }> {
  const { db, bus, clock } = deps;
  const started = challengeRepo.findChallenge(db, orgCode, registrationId);
  const isOwn = started?.kind === 'add-device' && started.mode === 'WEBAUTHN' && started.suid === suid;
  if (!started || !isOwn || outcomeOf(started, clock.now()) !== 'pending') throw new Refusal('EXPIRED');
  const expected = { relyingParty: relyingPartyOf(deps), challenge: registrationId };
  const verified = await verifyNewPasskey(credential, expected);
  const device = { ...passkeyName(verified.aaguid, credential, requester.userAgent), type: 'webauthn' as const };
  const { zid, confirmation } = db.transaction((tx) => {
    const added = { ...admissionOf(tx, { orgCode, suid }), device, publicKey: null, thumbprint: null };
    const admitted = admitDevice(deps, tx, added, {
      actor,
      action: 'device.registered',
      isOwn: true,
      requester,
    });
    if ('obstacle' in admitted) throw new Refusal(admitted.obstacle);
    if (passkeyRepo.isCredentialRegistered(tx, verified.credential.credentialId))
      throw new Refusal('ORG_ALREADY_ENABLED');
    settleDeviceRequest(deps, tx, started, { status: 'approved', resultCode: null, zid: admitted.zid });
    passkeyRepo.insertPasskey(tx, { zid: admitted.zid, orgCode, ...verified.credential });
    return { zid: admitted.zid, confirmation: confirmationOf(deps, tx, { orgCode, zid: admitted.zid }) };
  });
  announceChallenge(deps, { id: registrationId, suid });
  bus.changed(TOPIC.outbox);
  return { zid, name: device.name, confirmation };
}

function admissionOf(tx: Tx, { orgCode, suid }: Owner) {
  const organisation = organisationRepo.findOrganisation(tx, orgCode);
  const member = memberRepo.findMember(tx, orgCode, suid);
  if (!organisation || !member) throw new Refusal('ID_DOESNOT_EXIST');
  return { organisation, member, type: 'webauthn' as const };
}
