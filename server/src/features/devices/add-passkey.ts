import { challengeRepo, memberRepo, organisationRepo, passkeyRepo, type Tx } from '@orchestrate/db';
import {
  type Confirmation,
  fullNameOf,
  LIMITS,
  type NewPasskey,
  type PasskeyCreationOptions,
  SECOND,
} from '@orchestrate/shared';
import { admitDevice } from '../../core/device-keys/admit-device.ts';
import { confirmationOf } from '../../core/device-keys/confirm-device.ts';
import { deviceObstacle, requireNone } from '../../core/device-keys/device-admission.ts';
import { passkeyName } from '../../core/device-keys/passkey-name.ts';
import { relyingPartyOf } from '../../core/device-keys/relying-party.ts';
import { PASSKEY_ALGORITHMS, userHandleOf, verifyNewPasskey } from '../../core/device-keys/verify-passkey.ts';
import { announceChallenge } from '../../core/sign-in/challenges/announce-challenge.ts';
import { beginChallenge, type Requester } from '../../core/sign-in/challenges/begin.ts';
import { outcomeOf } from '../../core/sign-in/challenges/challenge-outcome.ts';
import { settleDeviceRequest } from '../../core/sign-in/challenges/settle.ts';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { Refusal } from '../../platform/refusal.ts';

/** Whose passkey it will be. */
type Owner = Pick<memberRepo.MemberRow, 'orgCode' | 'suid'>;

/**
 * Begins a registration, whose id is also the challenge, in place of the person's last one.
 * @throws Refusal WEBAUTHN_NOT_ENABLED, DEVICE_ADD_LIMIT_REACHED
 */
export function beginPasskeyRegistration(deps: Deps, { orgCode, suid }: Owner, requester: Requester) {
  const { db, clock } = deps;
  const begun = db.transaction((tx) => {
    const admission = admissionOf(tx, { orgCode, suid });
    requireNone(deviceObstacle(tx, admission));
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
  const { id, organisation, member, known } = begun;
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
 * Adds the passkey that the browser has made as a device of the person.
 * @throws Refusal EXPIRED over, or used before; SIGNATURE_MISMATCH not proven; ORG_ALREADY_ENABLED registered before;
 * WEBAUTHN_NOT_ENABLED, DEVICE_ADD_LIMIT_REACHED, USER_INACTIVE
 */
export async function addPasskeyDevice(
  deps: Deps,
  { orgCode, suid }: Owner,
  { registrationId, credential, requester }: PasskeyRegistration,
  actor: AuditActor,
): Promise<{ zid: string; name: string; confirmation: Confirmation | undefined }> {
  const { db, bus, clock } = deps;
  const begun = challengeRepo.findChallenge(db, orgCode, registrationId);
  const isOwn = begun?.kind === 'add-device' && begun.mode === 'WEBAUTHN' && begun.suid === suid;
  if (!begun || !isOwn || outcomeOf(begun, clock.now()) !== 'pending') throw new Refusal('EXPIRED');
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
    if (passkeyRepo.isCredentialKnown(tx, verified.credential.credentialId)) throw new Refusal('ORG_ALREADY_ENABLED');
    settleDeviceRequest(deps, tx, begun, { status: 'approved', resultCode: null, zid: admitted.zid });
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
